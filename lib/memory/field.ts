import { isJsonObject, type Json, type JsonObject } from "../session/json/json.ts";

/**
 * A field's name as the portal takes it for the same: `RESPONSIBLE_ID`, `responsible_id` and `responsibleId` are one
 * field.
 */
export function plainName(name: string): string {
  return name.replaceAll("_", "").trim().toLowerCase();
}

/**
 * The value of a field, however its name is written; undefined when it is not there. Of several spellings always the
 * same one counts, for the order of keys says nothing (M9).
 */
export function fieldOf(object: JsonObject, name: string): Json | undefined {
  const [key] = Object.keys(object)
    .filter((each) => plainName(each) === plainName(name))
    .sort();
  return key === undefined ? undefined : object[key];
}

/** The fields that an action sets: those of `fields`, or of `params.fields`. */
export function fieldsOf(params: JsonObject): JsonObject {
  const fields = fieldOf(params, "fields");
  if (isJsonObject(fields)) return fields;
  const inner = fieldOf(params, "params");
  return isJsonObject(inner) ? fieldsOf(inner) : {};
}
