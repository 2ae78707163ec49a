import { ActivityError } from "../../engine/tools/activity.ts";
import type { Json, JsonObject } from "../../session/json/json.ts";
import type { Items } from "../client.ts";
import type { CrmMethod } from "./method.ts";

/** A result as its tool gives it: the portal's own. Throws an `ActivityError` where the portal says that it did nothing. */
export function toolResult({ name, effect }: CrmMethod, result: Json): Json {
  if (effect === "read") return found(name, result);
  if (result !== false) return result;
  throw new ActivityError("not_done", `The portal did not carry out ${name}; check the parameters`);
}

/** What a method read. Throws an `ActivityError` for the empty list that stands for an object that is not there. */
export function found(method: string, result: Json): Json {
  if (!Array.isArray(result) || result.length > 0) return result;
  const message = `${method} found nothing that the webhook's user can see; check the id`;
  throw new ActivityError("not_found", message);
}

/** A list as its tool gives it. */
export function listResult({ items, total, next }: Items): JsonObject {
  return { items, total, next };
}
