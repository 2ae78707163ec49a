import { isJsonObject, type Json, type JsonObject } from "../session/json/json.ts";

/** A field's canonical name, as for the portal `RESPONSIBLE_ID`, `responsible_id` and `responsibleId` are one field. */
export function plainName(name: string): string {
  return name.replaceAll("_", "").trim().toLowerCase();
}

/**
 * A field's value in any spelling; undefined if missing. Of several spellings always the same one counts, independent
 * of the order of keys (M9).
 */
export function fieldOf(object: JsonObject, name: string): Json | undefined {
  const [key] = Object.keys(object)
    .filter((each) => plainName(each) === plainName(name))
    .sort();
  return key === undefined ? undefined : object[key];
}

/** The fields that an action sets: `fields`, or `params.fields`. */
export function fieldsOf(params: JsonObject): JsonObject {
  const fields = fieldOf(params, "fields");
  if (isJsonObject(fields)) return fields;
  const inner = fieldOf(params, "params");
  return isJsonObject(inner) ? fieldsOf(inner) : {};
}
