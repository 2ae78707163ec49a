import type { JsonObject } from "../../../lib/session/json/json.ts";
import { blankRecord, describeFields, type Fields, writtenFields } from "../fields/field.ts";
import { type Call, type Methods, OWNER_ID } from "../method.ts";
import { idParam, objectParam, requiredObject } from "../params.ts";
import { crmRefusal } from "../refusal.ts";
import type { Kind } from "../store.ts";
import { writeTime } from "../times.ts";
import { listRecords } from "./listing.ts";
import { checkReferences } from "./references.ts";

/** A record type with the common CRM methods. */
export interface Entity {
  kind: Kind;
  fields: Fields;
  /**
   * Derived fields, and validation of this type only. `record` includes what was written, `written` has only that,
   * `before` is null for a new one.
   */
  settle(change: Change, call: Call): JsonObject;
}

export interface Change {
  record: JsonObject & { ID: string };
  written: JsonObject;
  before: JsonObject | null;
}

/** `crm.<kind>.get`, `.list`, `.add`, `.update` and `.fields`. */
export function entityMethods(entity: Entity): Methods {
  const { kind, fields } = entity;
  const prefix = `crm.${kind}`;
  return {
    [`${prefix}.fields`]: () => ({ result: describeFields(fields) }),
    [`${prefix}.get`]: (call) => ({ result: toldRecord(stored(entity, call), fields) }),
    [`${prefix}.list`]: (call) => listRecords(call, call.store.all(kind), { fields, order: { ID: "ASC" } }),
    [`${prefix}.add`]: (call) => {
      const given = requiredObject(call.params, "fields");
      objectParam(call.params, "params");
      return { result: Number(addEntity(entity, given, call).ID) };
    },
    [`${prefix}.update`]: (call) => {
      const before = stored(entity, call);
      const written = writtenFields(fields, requiredObject(call.params, "fields"), false);
      objectParam(call.params, "params");
      checkReferences(fields, written, call.store);
      const noted = { MODIFY_BY_ID: OWNER_ID, DATE_MODIFY: writeTime(call.now) };
      const record = { ...before, ...written, ...noted, ID: String(before.ID) };
      call.store.put(kind, { ...entity.settle({ record, written, before }, call), ID: record.ID });
      return { result: true };
    },
  };
}

/** Creates a record under the next id, or a given one. Throws `Refusal`. */
export function addEntity({ kind, fields, settle }: Entity, given: JsonObject, call: Call, id?: string): JsonObject {
  const { store, now } = call;
  const written = writtenFields(fields, given, true);
  checkReferences(fields, written, store);
  const [ID, at] = [id ?? store.nextId(kind), writeTime(now)];
  const people = {
    ASSIGNED_BY_ID: OWNER_ID,
    CREATED_BY_ID: OWNER_ID,
    MODIFY_BY_ID: OWNER_ID,
    LAST_ACTIVITY_BY: OWNER_ID,
  };
  const times = { DATE_CREATE: at, DATE_MODIFY: at, LAST_ACTIVITY_TIME: at };
  const record = { ...blankRecord(fields), ...people, ...times, ...written, ID };
  const settled = { ...settle({ record, written, before: null }, call), ID };
  store.put(kind, settled);
  return settled;
}

function stored({ kind }: Entity, { params, store }: Call): JsonObject {
  const record = store.get(kind, idParam(params));
  if (!record) throw crmRefusal("Not found");
  return record;
}

/** A full record, as in `get`; empty multiple fields are left out. */
function toldRecord(record: JsonObject, fields: Fields): JsonObject {
  return Object.fromEntries(
    Object.keys(fields).flatMap((name) => (name in record ? [[name, record[name] ?? null]] : [])),
  );
}
