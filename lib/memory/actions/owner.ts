import type { JsonObject } from "../../session/json/json.ts";
import { fieldOf, fieldsOf } from "../field.ts";
import type { Named } from "../words/words.ts";
import { idOf } from "./id.ts";
import type { ObjectKind } from "./methods.ts";

/** The portal's type numbers of an activity's owner. */
const OWNER_TYPES = new Map<string, ObjectKind>([
  ["2", "deal"],
  ["3", "contact"],
  ["4", "company"],
]);

const OWNING_KINDS: readonly ObjectKind[] = ["deal", "contact", "company"];

/** Fields that refer to an owner. */
export const OWNER_FIELDS = ["OWNER_ID", "OWNER_TYPE_ID", "ENTITY_ID", "ENTITY_TYPE"];

/** The owner of a created object: the deal or task of a comment, the contact of an activity. */
export function ownerOf(params: JsonObject): Named | null {
  const fields = fieldsOf(params);
  const task = idOf(fieldOf(params, "TASKID"));
  if (task !== null) return { kind: "task", id: task };
  const type = String(fieldOf(fields, "ENTITY_TYPE") ?? "").toLowerCase();
  const kind =
    OWNER_TYPES.get(String(fieldOf(fields, "OWNER_TYPE_ID") ?? "")) ?? OWNING_KINDS.find((owning) => owning === type);
  const id = idOf(fieldOf(fields, "OWNER_ID") ?? fieldOf(fields, "ENTITY_ID"));
  return kind && id !== null ? { kind, id } : null;
}
