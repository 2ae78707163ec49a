import type { Json, JsonObject } from "../../session/json/json.ts";

/** A call or value of up to this many characters is printed in one line. */
const LINE = 100;

/** Prints a plan: short calls in one line, longer ones with a property per line. */
export function printCalls(calls: readonly JsonObject[]): string {
  return calls.length === 0 ? "[]" : `[\n${calls.map((call) => `  ${printCall(call, "  ")}`).join(",\n")}\n]`;
}

/** Prints a call; the lines after the first are indented by `indent` and more. */
export function printCall(call: JsonObject, indent: string): string {
  const line = `{ ${propertiesOf(call).join(", ")} }`;
  return line.length <= LINE ? line : printLines(call, indent);
}

/** Prints a call with a property per line, so that it can grow. */
export function printLines(call: JsonObject, indent: string): string {
  const properties = propertiesOf(call).map((property) => `${indent}  ${property}`);
  return `{\n${properties.join(",\n")}\n${indent}}`;
}

function propertiesOf(call: JsonObject): string[] {
  return Object.entries(call).map(([name, value]) => `${JSON.stringify(name)}: ${printLine(value)}`);
}

/** Prints a value; a long one takes several lines, which are indented like the first. */
export function printValue(value: Json, indent: string): string {
  const line = printLine(value);
  return line.length <= LINE ? line : JSON.stringify(value, null, 2).replaceAll("\n", `\n${indent}`);
}

/** A value in one line, with spaces after commas and colons. */
function printLine(value: Json): string {
  return JSON.stringify(value, null, 1).replace(/\n\s*/g, " ");
}
