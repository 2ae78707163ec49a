import { resolveRef } from "@/lib/plan/schema/schema-place.ts";
import { isJsonObject, type Json, type JsonObject } from "@/lib/session/json/json.ts";
import type { AskedValue } from "./fitting-paths.ts";

/** How a value is entered. */
export type FieldKind =
  | { kind: "text" | "number" | "boolean" | "json" }
  | { kind: "choice"; values: readonly Json[] }
  | { kind: "object"; properties: JsonObject; required: ReadonlySet<string> };

/** Deeper objects are entered as JSON. */
const DEEPEST = 3;

/** How a parameter is entered, by its schema; as JSON where the schema has no field for the value that is there. */
export function fieldKind(asked: AskedValue, value: Json | undefined, depth: number): FieldKind {
  const schema = resolved(asked);
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (Array.isArray(values))
    return value === undefined || values.some((one) => isEqual(one, value))
      ? { kind: "choice", values }
      : { kind: "json" };
  const types = [schema.type].flat().filter((type) => type !== "null" && type !== undefined);
  const type = types[0] ?? (value === undefined ? "string" : typeOf(value));
  if (value !== undefined && !fits(type, value)) return { kind: "json" };
  switch (type) {
    case "string":
      return { kind: "text" };
    case "number":
    case "integer":
      return { kind: "number" };
    case "boolean":
      return { kind: "boolean" };
    case "object":
      return isJsonObject(schema.properties) && depth < DEEPEST
        ? { kind: "object", properties: schema.properties, required: requiredOf(schema) }
        : { kind: "json" };
    default:
      return { kind: "json" };
  }
}

/** The schema's object, behind its `$ref`. */
export function resolved({ schema, root }: AskedValue): JsonObject {
  const found = isJsonObject(schema) && schema.$ref !== undefined ? resolveRef(schema.$ref, root)?.schema : schema;
  return isJsonObject(found) ? found : {};
}

/** The names of required properties. */
export function requiredOf({ required }: JsonObject): ReadonlySet<string> {
  return new Set(Array.isArray(required) ? required.filter((name) => typeof name === "string") : []);
}

function typeOf(value: Json): string {
  return Array.isArray(value) ? "array" : typeof value;
}

function fits(type: Json, value: Json): boolean {
  return type === typeOf(value) || (type === "integer" && typeof value === "number");
}

function isEqual(one: Json, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
