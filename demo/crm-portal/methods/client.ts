import type { JsonObject } from "../../../lib/session/json/json.ts";
import { COMPANY_FIELDS } from "../fields/company.ts";
import { CONTACT_FIELDS } from "../fields/contact.ts";
import type { Call } from "../method.ts";
import { crmRefusal } from "../refusal.ts";
import type { Change, Entity } from "./entity.ts";
import { changedMultifield } from "./multifields.ts";

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
