import { entriesOf } from "@/lib/plan/edit/json-text.ts";
import type { Range } from "@/lib/plan/edit/text-edit.ts";
import type { LocalizedText } from "@/lib/plan/localized-text.ts";
import type { PlanProblem } from "@/lib/plan/problem.ts";
import type { DocumentName, Documents } from "../draft/documents.ts";
import { keysOf, pointerRange } from "./json-place.ts";

/** A problem at its range in one of the texts. `message` is "" when the code says everything. */
export interface PlacedProblem extends Range, LocalizedText {
  document: DocumentName;
  severity: PlanProblem["severity"];
  /** The API's code, or the kind of error of the text itself. */
  code: string;
  call: string | null;
  path: string;
}

/** The invalid fields of a refused request, by JSON Pointer. */
export interface Refused {
  path: string;
  message: string;
}

/** Errors of the texts themselves. */
export function placeFaults({ faults }: Documents): PlacedProblem[] {
  return faults.map(({ kind, ...place }) => ({
    ...place,
    severity: "error",
    code: kind,
    call: null,
    path: "",
    message: "",
  }));
}

/**
 * The API's problems of a plan with their ranges; without an exact one, that of the nearest parent. `ids` are those of
 * the calls in order.
 */
export function placeProblems(
  { json }: Documents,
  ids: readonly string[],
  problems: readonly PlanProblem[],
): PlacedProblem[] {
  const calls = entriesOf(json.plan);
  const first = new Map(ids.map((id, index) => [id, index] as const).reverse());
  const last = new Map(ids.map((id, index) => [id, index] as const));
  return problems.map((problem) => {
    const { code, call, path } = problem;
    // Of two calls with one id, the later has to change.
    const index = call === null ? undefined : (code === "duplicate_id" ? last : first).get(call);
    const node = index === undefined ? undefined : calls[index];
    const range = node
      ? pointerRange(json.plan, node, path, code === "unknown_meta" ? "name" : "value")
      : { from: 0, to: Math.min(1, json.plan.text.length) };
    const isWhole = node !== undefined && range.from === node.from && range.to === node.to;
    return { ...problem, document: "plan", ...(isWhole ? headOf(range) : range) };
  });
}

/** The invalid fields of a request with their ranges; others are left out. */
export function placeRefused({ json }: Documents, refused: readonly Refused[]): PlacedProblem[] {
  return refused.flatMap(({ path, message }) => {
    const [name] = keysOf(path);
    const document = (["plan", "context", "tools"] as const).find((one) => one === name);
    const start = document && json[document].tree.topNode.firstChild;
    if (!document || !start) return [];
    const inside = path.slice(document.length + 1);
    const range = pointerRange(json[document], start, inside, "value");
    return [{ document, severity: "error", code: "refused", call: null, path: inside, message, ...range }];
  });
}

/** A problem of a whole call marks only its first character. */
function headOf({ from }: Range): Range {
  return { from, to: from + 1 };
}
