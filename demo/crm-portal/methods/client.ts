import { isJsonObject, type Json, type JsonObject } from "../../../lib/session/json/json.ts";
import { COMPANY_FIELDS } from "../fields/company.ts";
import { CONTACT_FIELDS } from "../fields/contact.ts";
import type { Call } from "../method.ts";
import { positiveId } from "../params.ts";
import { asArray } from "../php-array.ts";
import { crmRefusal } from "../refusal.ts";
import type { Store } from "../store.ts";
import type { Change, Entity } from "./entity.ts";

const MULTIFIELDS = ["PHONE", "EMAIL", "WEB", "IM"];

/** Contacts. */
export const CONTACT: Entity = {
  kind: "contact",
  fields: CONTACT_FIELDS,
  settle(change, call) {
    const { NAME, LAST_NAME } = change.record;
    if (!NAME && !LAST_NAME) throw crmRefusal('The field "First name" or "Last name" is required');
    return settleReach(change, call);
  },
};

/** Companies. */
export const COMPANY: Entity = {
  kind: "company",
  fields: COMPANY_FIELDS,
  settle(change, call) {
    if (!change.record.TITLE) throw crmRefusal('The field "Company name" is required');
    return settleReach(change, call);
  },
};

/** Merges phones and addresses with existing ones, and sets the flags. */
function settleReach({ record, written, before }: Change, { store }: Call): JsonObject {
  const settled: JsonObject = { ...record };
  for (const type of MULTIFIELDS) {
    const given = written[type];
    if (given === undefined) continue;
    const values = changedMultifield(type, before?.[type], given, store);
    if (values.length > 0) settled[type] = values;
    else delete settled[type];
  }
  return { ...settled, HAS_PHONE: settled.PHONE ? "Y" : "N", HAS_EMAIL: settled.EMAIL ? "Y" : "N" };
}

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
