import type { Json, JsonObject } from "@/lib/session/json/json.ts";

/** A call of up to this many characters is printed in one line. */
const LINE = 100;

/** Prints a plan: short calls in one line, longer ones with a property per line. */
export function printCalls(calls: readonly JsonObject[]): string {
  return listOf(calls.map(printCall));
}

/** A list of objects, indented; "" for none. */
export function printList(objects: readonly JsonObject[]): string {
  return objects.length === 0 ? "" : JSON.stringify(objects, null, 2);
}

function listOf(entries: readonly string[]): string {
  return entries.length === 0 ? "[]" : `[\n${entries.map((entry) => `  ${entry}`).join(",\n")}\n]`;
}

function printCall(call: JsonObject): string {
  const properties = Object.entries(call).map(([name, value]) => `${JSON.stringify(name)}: ${printValue(value)}`);
  const line = `{ ${properties.join(", ")} }`;
  return line.length <= LINE ? line : `{\n    ${properties.join(",\n    ")}\n  }`;
}

/** A value in one line, with spaces after commas and colons. */
function printValue(value: Json): string {
  return JSON.stringify(value, null, 1).replace(/\n\s*/g, " ");
}
