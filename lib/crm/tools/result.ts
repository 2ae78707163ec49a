import { ActivityError } from "../../engine/tools/activity.ts";
import type { Json, JsonObject } from "../../session/json/json.ts";
import type { Items } from "../client.ts";
import type { CrmMethod } from "./method.ts";

/** The result of a tool: the portal's own. Throws an `ActivityError` if the portal reports that it did nothing. */
export function toolResult({ name, effect }: CrmMethod, result: Json): Json {
  if (effect === "read") return found(name, result);
  if (result !== false) return result;
  throw new ActivityError("not_done", `The portal did not carry out ${name}; check the parameters`);
}

/** The result of a read. Throws an `ActivityError` for the empty list that means that the object does not exist. */
export function found(method: string, result: Json): Json {
  if (!Array.isArray(result) || result.length > 0) return result;
  const message = `${method} found nothing that the webhook's user can see; check the id`;
  throw new ActivityError("not_found", message);
}

/** The result of a list. */
export function listResult({ items, total, next }: Items): JsonObject {
  return { items, total, next };
}
