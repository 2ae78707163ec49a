import type { Json, JsonObject } from "../../../lib/session/json/json.ts";
import { isJsonObject } from "../../../lib/session/json/json.ts";
import { positiveId } from "../params.ts";
import { asArray } from "../php-array.ts";
import type { Store } from "../store.ts";

/**
 * Phones or addresses after an update, as in Bitrix24: a value with an existing id replaces it, or removes it when
 * empty or `DELETE`; a value without an id is added.
 */
export function changedMultifield(type: string, before: Json | undefined, given: Json, store: Store): JsonObject[] {
  const values = new Map<string, JsonObject>();
  for (const value of Array.isArray(before) ? before.filter(isJsonObject) : []) values.set(String(value.ID), value);
  for (const change of Object.values(asArray(given) ?? {})) {
    const { ID, VALUE, VALUE_TYPE, DELETE } = isJsonObject(change) ? change : { VALUE: change };
    const there = values.get(positiveId(ID) ?? "");
    const text = typeof VALUE === "string" || typeof VALUE === "number" ? String(VALUE).trim() : "";
    if (there && (text === "" || DELETE === "Y")) values.delete(String(there.ID));
    else if (text !== "") {
      const id = there ? String(there.ID) : store.nextId("multifield");
      const kept = typeof VALUE_TYPE === "string" ? VALUE_TYPE : (there?.VALUE_TYPE ?? "WORK");
      values.set(id, { ID: id, VALUE_TYPE: kept, VALUE: text, TYPE_ID: type });
    }
  }
  return [...values.values()];
}
