import { pointerTo } from "../../plan/problem.ts";
import type { SchemaFault } from "../../plan/schema/schema-checker.ts";

/** Faults that a sentence names: more of them help nobody. */
const NAMED = 3;

/** Says in a sentence how a value breaks a schema; `complaint` is how it begins: "The result is invalid". */
export function describeFaults(complaint: string, faults: readonly SchemaFault[]): string {
  const named = faults.slice(0, NAMED).map(({ path, message }) => `${pointerTo(path) || "as a whole it"} ${message}`);
  const more = faults.length > NAMED ? `, and ${faults.length - NAMED} more` : "";
  return `${complaint}: ${named.join(", ")}${more}`;
}
