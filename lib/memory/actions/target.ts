import type { JsonObject } from "../../session/json/json.ts";
import { fieldOf } from "../field.ts";
import { idOf, type ObjectId } from "./id.ts";
import type { ObjectKind } from "./methods.ts";

/** The object that an action changes; null if the parameters do not identify it. */
export function targetOf(kind: ObjectKind, params: JsonObject): ObjectId | null {
  return idOf(fieldOf(params, kind === "task" ? "taskId" : "id"));
}
