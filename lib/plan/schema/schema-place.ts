import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import { childAt } from "../reference.ts";

/** A JSON Schema within the document that its references (`$ref`) point into. */
export interface Place {
  schema: Json;
  root: Json;
}

/** What a `$ref` names; null when it is not within the same document. */
export function resolveRef(ref: Json | undefined, root: Json): Place | null {
  if (typeof ref !== "string" || !/^#(\/|$)/.test(ref)) return null;
  let schema: Json | undefined = root;
  for (const part of ref.split("/").slice(1)) {
    const key = decodePart(part);
    schema =
      schema === undefined || key === null ? undefined : childAt(schema, Array.isArray(schema) ? Number(key) : key);
  }
  return schema === undefined ? null : { schema, root };
}

/** One part of a JSON Pointer in a URI fragment; null when it is none. */
function decodePart(part: string): string | null {
  try {
    return decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/** Built once for each part of a schema, so that whoever compiles it finds the same object again. */
const standalones = new WeakMap<JsonObject, Json>();

/** A part of a schema by itself, with what it needs of its document; null when its references need more than that. */
export function standalone({ schema, root }: Place): Json | null {
  if (schema === root || !isJsonObject(schema) || !isJsonObject(root)) return schema;
  const known = standalones.get(schema);
  if (known !== undefined) return known;
  const built = withDocument(schema, root);
  standalones.set(schema, built);
  return built;
}

function withDocument(schema: JsonObject, root: JsonObject): Json | null {
  const refs = refsOf(schema);
  if (refs.some((ref) => !/^#\/(\$defs|definitions)\//.test(ref))) return null;
  const needed = refs.length > 0 ? ["$schema", "$defs", "definitions"] : ["$schema"];
  const taken = needed.flatMap((name): [string, Json][] => {
    const part = root[name];
    return part === undefined || Object.hasOwn(schema, name) ? [] : [[name, part]];
  });
  return taken.length === 0 ? schema : { ...schema, ...Object.fromEntries(taken) };
}

/** Every `$ref` in a schema. */
export function refsOf(schema: Json): string[] {
  if (Array.isArray(schema)) return schema.flatMap(refsOf);
  if (!isJsonObject(schema)) return [];
  const own = typeof schema.$ref === "string" ? [schema.$ref] : [];
  return [...own, ...Object.values(schema).flatMap(refsOf)];
}
