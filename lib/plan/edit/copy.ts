import type { JsonObject } from "../../session/json/json.ts";
import { printPath } from "../reference.ts";
import { insertEntries } from "./call-list.ts";
import { freePath, outputPathOf, renamePath } from "./paths.ts";
import { type PlanText, readPlanText } from "./plan-text.ts";
import { setValue } from "./set-value.ts";
import { applyEdits, type TextEdit } from "./text-edit.ts";

/** Leaves room for a number (a name has at most 200 characters). */
const LONGEST_ID = 180;

/** The texts of calls as a plan of its own, in the plan's order. */
export function copyCalls({ json, ids, nodes }: PlanText, copied: readonly string[]): string {
  const texts = nodes
    .filter((_, index) => copied.includes(ids[index] ?? ""))
    .map(({ from, to }) => json.text.slice(from, to));
  return `[\n  ${texts.join(",\n  ")}\n]`;
}

/**
 * Inserts copied calls after a call, else at the end. Ids and output paths that the plan has already get new names; the
 * copies read each other's under the new names. Null when the text is no plan.
 */
export function pasteCalls(
  plan: PlanText,
  copied: string,
  after: string | null,
): { edits: TextEdit[]; ids: string[] } | null {
  let pasted = readPlanText(copied);
  if (!pasted || pasted.calls.length === 0) return null;
  const change = (edits: readonly TextEdit[] | null) => {
    pasted = readPlanText(applyEdits(pasted?.json.text ?? "", edits ?? [])) ?? pasted;
  };
  const taken = new Set([...plan.ids, ...pasted.ids]);
  const ids = pasted.ids.map((id, index) => {
    const { _id, _tool } = pasted?.calls[index] ?? {};
    // An id that follows from the tool's name would change with the place.
    const own = _id === id ? id : nameFor(String(_tool));
    return _id === id && !plan.ids.includes(id) ? id : claim(taken, own);
  });
  for (const [index, id] of ids.entries()) change(setValue(pasted, pasted.ids[index] ?? "", ["_id"], id));
  const written = new Set(plan.calls.flatMap(targetsOf));
  for (const id of ids) {
    for (const { path } of outputPathOf(pasted.calls[pasted.ids.indexOf(id)]?._outputPath)?.flat() ?? []) {
      const [name, ...below] = path;
      // The state as a whole has no name.
      if (name === undefined || !written.has(printPath(path))) continue;
      const free = freePath({ calls: [...plan.calls, ...pasted.calls] }, name);
      change(renamePath(pasted, path, [...free.path, ...below]));
    }
  }
  const { json, nodes } = pasted;
  const texts = nodes.map(({ from, to }) => json.text.slice(from, to));
  return { edits: insertEntries(plan, () => texts, after), ids };
}

/** The id of a new call of a tool: its name without signs, with a number if that is taken. */
export function idFor({ ids }: Pick<PlanText, "ids">, tool: string): string {
  return claim(new Set(ids), nameFor(tool));
}

function nameFor(tool: string): string {
  return (
    tool
      .replaceAll(/[^\p{L}\p{Nd}_-]+/gu, "_")
      .replace(/^_+|_+$/g, "")
      .slice(0, LONGEST_ID) || "call"
  );
}

/** Takes an id that is free: the wanted one, or with a number. */
function claim(taken: Set<string>, wanted: string): string {
  const name = taken.has(wanted) ? wanted.replace(/_\d+$/, "") : wanted;
  let id = wanted;
  for (let count = 2; taken.has(id); count++) id = `${name}_${count}`;
  taken.add(id);
  return id;
}

function targetsOf({ _outputPath }: JsonObject): string[] {
  return (
    outputPathOf(_outputPath)
      ?.flat()
      .map(({ path }) => printPath(path)) ?? []
  );
}
