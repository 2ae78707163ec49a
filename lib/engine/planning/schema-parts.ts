import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";

/** The types that JSON Schema names. */
export const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"] as const;
export type Type = (typeof TYPES)[number];

/** The schema that a `$ref` of this document points to (`#/$defs/x`); undefined for any other place. */
export function referredIn(document: Json, ref: Json | undefined): Json | undefined {
  if (typeof ref !== "string" || !ref.startsWith("#")) return undefined;
  if (ref === "#") return document;
  let found: Json | undefined = document;
  for (const part of ref.slice(1).split("/").slice(1)) {
    const key = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(found)) found = found[Number(key)];
    else found = isJsonObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return found;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    // A stray % is itself.
    if (error instanceof URIError) return part;
    throw error;
  }
}

/** The types that a schema allows by its `type`, else by the values or the keywords it names; null when it does not tell. */
export function typesOf(schema: JsonObject): Type[] | null {
  const named = Array.isArray(schema.type) ? schema.type : [schema.type];
  const types = TYPES.filter((type) => named.includes(type));
  if (types.length > 0) return types;
  const values = valuesOf(schema);
  if (values) return TYPES.filter((type) => values.some((value) => typeOf(value) === type));
  if (schema.properties !== undefined) return ["object"];
  return schema.items !== undefined ? ["array"] : null;
}

/** The values that `const` or `enum` allow; null when the schema names none. */
export function valuesOf(schema: JsonObject): Json[] | null {
  if (Object.hasOwn(schema, "const")) return [schema.const ?? null];
  return Array.isArray(schema.enum) ? schema.enum : null;
}

/** The type of a value; every number is a `number`. */
export function typeOf(value: Json): Type {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return TYPES.find((name) => name === type) ?? "object";
}

/** A schema with every schema that it is made of, by `$ref`, `allOf`, `anyOf` and `oneOf`. */
export function shapesOf(schema: Json | undefined, document: Json): JsonObject[] {
  const shapes = new Set<JsonObject>();
  const open = [schema];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!isJsonObject(next) || shapes.has(next)) continue;
    shapes.add(next);
    if (next.$ref !== undefined) open.push(referredIn(document, next.$ref));
    for (const parts of [next.allOf, next.anyOf, next.oneOf]) if (Array.isArray(parts)) open.push(...parts);
  }
  return [...shapes];
}

/** Whether null is among what the schema names; one that allows anything does not name it. */
export function namesNull(schema: Json | undefined, document: Json): boolean {
  return shapesOf(schema, document).some((shape) => typesOf(shape)?.includes("null") ?? false);
}

/** The names in a schema's `required`. */
export function requiredOf(schema: JsonObject): string[] {
  return Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === "string") : [];
}

/** The schemas of an object's own keys. */
export function propertiesOf(schema: JsonObject): JsonObject {
  return isJsonObject(schema.properties) ? schema.properties : {};
}

/** A schema with what its `allOf` adds; null when that cannot be one object's keywords. */
export function mergedAll(schema: JsonObject, document: Json): JsonObject | null {
  if (!Array.isArray(schema.allOf)) return schema;
  const { allOf, ...own } = schema;
  const parts = [...allOf.map((part) => target(part, document)), own];
  let merged: JsonObject = {};
  for (const part of parts) {
    if (!isJsonObject(part) || part.allOf !== undefined || part.$ref !== undefined) return null;
    const properties = { ...propertiesOf(merged), ...propertiesOf(part) };
    const required = [...new Set([...requiredOf(merged), ...requiredOf(part)])];
    merged = { ...merged, ...part };
    if (Object.keys(properties).length > 0) merged = { ...merged, properties, required };
  }
  return merged;
}

/** What a schema that is a mere `$ref` leads to, over other such ones; undefined when it leads nowhere or round in a circle. */
export function target(schema: Json, document: Json): Json | undefined {
  const seen = new Set<Json>();
  let found: Json | undefined = schema;
  while (isJsonObject(found) && found.$ref !== undefined) {
    if (seen.has(found)) return undefined;
    seen.add(found);
    found = referredIn(document, found.$ref);
  }
  return found;
}
