import type { JsonObject } from "@/lib/session/json/json.ts";

/** A list of objects, indented; "" for none. */
export function printList(objects: readonly JsonObject[]): string {
  return objects.length === 0 ? "" : JSON.stringify(objects, null, 2);
}
