import { valueAt } from "@/lib/plan/reference.ts";
import type { Json } from "@/lib/session/json/json.ts";

/** The keys of a JSON Pointer (RFC 6901), with positions as numbers. */
function keysOf(pointer: string): (string | number)[] {
  return pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((key) => (/^(0|[1-9]\d*)$/.test(key) ? Number(key) : key));
}

/** What a citation's address stands for in the answer to its request; undefined where there is nothing. */
export function citedValue(answer: Json, address: string): Json | undefined {
  return valueAt(answer, keysOf(address.split("#")[1] ?? ""));
}
