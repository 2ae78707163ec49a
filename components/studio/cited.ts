import { valueAt } from "@/lib/plan/reference.ts";
import type { Json } from "@/lib/session/json/json.ts";

/** The segments of a JSON Pointer (RFC 6901), with numeric indexes. */
function keysOf(pointer: string): (string | number)[] {
  return pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((key) => (/^(0|[1-9]\d*)$/.test(key) ? Number(key) : key));
}

/** The value of a reference in the response to its request; undefined for none. */
export function citedValue(answer: Json, address: string): Json | undefined {
  return valueAt(answer, keysOf(address.split("#")[1] ?? ""));
}
