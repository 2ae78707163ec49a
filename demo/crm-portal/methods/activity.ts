import type { Json, JsonObject } from "../../../lib/session/json/json.ts";
import { isJsonObject } from "../../../lib/session/json/json.ts";
import { ACTIVITY_FIELDS } from "../fields/activity.ts";
import { blankRecord, describeFields, writtenFields } from "../fields/field.ts";
import { type Call, type Methods, OWNER_ID } from "../method.ts";
import { idParam, objectParam, positiveId, requiredObject } from "../params.ts";
import { asArray } from "../php-array.ts";
import { selectFields } from "../query.ts";
import { crmRefusal } from "../refusal.ts";
import { writeTime } from "../times.ts";
import { listRecords } from "./listing.ts";
import { kindOfOwner } from "./owners.ts";
import { checkReferences } from "./references.ts";

/** Meetings and calls: one contact, due at their start; other activities are due at their end. */
const WITH_ONE = ["1", "2"];

export const ACTIVITY_METHODS: Methods = {
  "crm.activity.fields": () => ({ result: describeFields(ACTIVITY_FIELDS) }),
  "crm.activity.get": (call) => ({ result: selectFields(stored(call), ACTIVITY_FIELDS, undefined) }),
  "crm.activity.list": (call) => {
    const bound = boundTo(call.store.all("activity"), objectParam(call.params, "filter").BINDINGS);
    return listRecords(call, bound, { fields: ACTIVITY_FIELDS, order: { START_TIME: "ASC" } });
  },
  "crm.activity.add": (call) => ({ result: Number(addActivity(requiredObject(call.params, "fields"), call).ID) }),
  "crm.activity.update": (call) => {
    const before = stored(call);
    const given = writtenFields(ACTIVITY_FIELDS, requiredObject(call.params, "fields"), false);
    checkReferences(ACTIVITY_FIELDS, given, call.store);
    const noted = { EDITOR_ID: OWNER_ID, LAST_UPDATED: writeTime(call.now) };
    settle({ ...before, ...given, ...noted }, String(before.ID), call);
    return { result: true };
  },
};

/** Creates an activity. Throws `Refusal`. */
export function addActivity(given: JsonObject, call: Call): JsonObject {
  const written = writtenFields(ACTIVITY_FIELDS, given, true);
  checkReferences(ACTIVITY_FIELDS, written, call.store);
  const at = writeTime(call.now);
  const noted = { CREATED: at, LAST_UPDATED: at, AUTHOR_ID: OWNER_ID, EDITOR_ID: OWNER_ID };
  return settle({ ...blankRecord(ACTIVITY_FIELDS), ...noted, ...written }, null, call);
}

/** Validates an activity, sets derived fields, and stores it. */
function settle(record: JsonObject, id: string | null, { store }: Call): JsonObject {
  if (!record.SUBJECT) throw crmRefusal("The field SUBJECT is not defined or empty.");
  if (!record.RESPONSIBLE_ID) throw crmRefusal("The field RESPONSIBLE_ID is not defined or invalid.");
  if (!record.TYPE_ID) throw crmRefusal("The field TYPE_ID is not defined or invalid.");
  const communications = communicationsOf(record.COMMUNICATIONS);
  if (communications.length === 0) throw crmRefusal("The field COMMUNICATIONS is not defined or invalid.");
  const isWithOne = WITH_ONE.includes(String(record.TYPE_ID));
  if (isWithOne && communications.length > 1) {
    throw crmRefusal("The only one communication is allowed for activity of specified type.");
  }
  const owner = { OWNER_ID: record.OWNER_ID ?? null, OWNER_TYPE_ID: record.OWNER_TYPE_ID ?? null };
  const others = communications.map(({ ENTITY_ID, ENTITY_TYPE_ID }) => ({
    OWNER_ID: ENTITY_ID,
    OWNER_TYPE_ID: ENTITY_TYPE_ID,
  }));
  const kind = kindOfOwner(owner.OWNER_TYPE_ID);
  if (!kind || !store.get(kind, String(owner.OWNER_ID))) {
    throw crmRefusal(
      "Could not build binding. Please ensure that owner info and communications are defined correctly.",
    );
  }
  const settled = {
    ...record,
    ID: id ?? store.nextId("activity"),
    DEADLINE: (isWithOne ? record.START_TIME : record.END_TIME) ?? null,
    STATUS: record.COMPLETED === "Y" ? "2" : "1",
    COMMUNICATIONS: communications,
    BINDINGS: [owner, ...others.filter(({ OWNER_ID }) => OWNER_ID !== "0")],
  };
  store.put("activity", settled);
  return settled;
}

/** Phones and addresses of an activity with their contacts; empty entries are left out. */
function communicationsOf(value: Json | undefined): { VALUE: string; ENTITY_ID: string; ENTITY_TYPE_ID: string }[] {
  return Object.values(asArray(value) ?? {})
    .filter(isJsonObject)
    .map(({ VALUE = "", ENTITY_ID, ENTITY_TYPE_ID }) => ({
      VALUE: String(VALUE),
      ENTITY_ID: positiveId(ENTITY_ID) ?? "0",
      ENTITY_TYPE_ID: positiveId(ENTITY_TYPE_ID) ?? "0",
    }))
    .filter(({ VALUE, ENTITY_ID }) => VALUE !== "" || ENTITY_ID !== "0");
}

function stored({ params, store }: Call): JsonObject {
  const record = store.get("activity", idParam(params));
  if (!record) throw crmRefusal("Activity is not found.");
  return record;
}

/** Activities bound to one of these owners; all without owners. */
function boundTo(activities: JsonObject[], bindings: Json | undefined): JsonObject[] {
  const wanted = Object.values(asArray(bindings) ?? {}).filter(isJsonObject);
  if (wanted.length === 0) return activities;
  return activities.filter(({ BINDINGS }) => {
    const bound = Array.isArray(BINDINGS) ? BINDINGS.filter(isJsonObject) : [];
    return bound.some((binding) =>
      wanted.some((owner) => Object.entries(owner).every(([name, value]) => String(binding[name]) === String(value))),
    );
  });
}
