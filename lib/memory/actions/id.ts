import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import { fieldOf } from "../field.ts";

/** An object's id: a number if possible. */
export type ObjectId = number | string;

/**
 * An id as portals write it: a number, or a string, which becomes a number if possible. Null for none: 0, "0", "",
 * null, and a batch's reference to another command's result (`$result[deal]`).
 */
export function idOf(value: Json | undefined): ObjectId | null {
  const id = typeof value === "string" && /^\d{1,15}$/.test(value.trim()) ? Number(value) : value;
  if (typeof id === "number") return Number.isSafeInteger(id) && id > 0 ? id : null;
  return typeof id === "string" && id.trim() !== "" && !id.includes("$result") ? id.trim() : null;
}

/** The id of a created object: the result itself, `{id}`, or `{task: {id}}` (M5). */
export function newIdOf(result: Json): ObjectId | null {
  const made = objectOf(result);
  return idOf(made ? fieldOf(made, "id") : result);
}

/** The object in a result, unwrapped for tasks; null if it is none. */
export function objectOf(result: Json): JsonObject | null {
  if (!isJsonObject(result)) return null;
  const task = fieldOf(result, "task");
  return isJsonObject(task) ? task : result;
}
