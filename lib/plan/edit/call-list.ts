import type { JsonObject } from "../../session/json/json.ts";
import { rootOf, valuesIn } from "./json-text.ts";
import type { PlanText } from "./plan-text.ts";
import { printLines } from "./print-call.ts";
import type { TextEdit } from "./text-edit.ts";
import { gapBefore, indentOf, removeChildren } from "./write-json.ts";

/** Adds a call after another one, else at the end. */
export function addCall(plan: PlanText, call: JsonObject, after: string | null = null): TextEdit[] {
  return insertEntries(plan, (indent) => [printLines(call, indent)], after);
}

/** Removes calls. What read their results is reported by validation, and not changed. */
export function deleteCalls(plan: PlanText, ids: readonly string[]): TextEdit[] {
  const root = rootOf(plan.json);
  const gone = new Set(ids.map((id) => plan.ids.indexOf(id)));
  return root ? removeChildren(root, plan.nodes, gone) : [];
}

/** Inserts entries, printed for an indentation, after a call, else at the end. */
export function insertEntries(
  { json, ids, nodes }: PlanText,
  print: (indent: string) => readonly string[],
  after: string | null,
): TextEdit[] {
  const root = rootOf(json);
  if (!root) return [{ from: 0, to: json.text.length, insert: `[\n  ${print("  ").join(",\n  ")}\n]` }];
  const anchor = (after === null ? undefined : nodes[ids.indexOf(after)]) ?? valuesIn(root).at(-1);
  if (!anchor) return [{ from: root.from, to: root.to, insert: `[\n  ${print("  ").join(",\n  ")}\n]` }];
  const gap = gapBefore(json, anchor);
  return [
    {
      from: anchor.to,
      to: anchor.to,
      insert: print(indentOf(gap))
        .map((entry) => `,${gap}${entry}`)
        .join(""),
    },
  ];
}
