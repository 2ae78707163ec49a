import { type LocalizedText, localized } from "./localized-text.ts";
import { overlaps } from "./overlap.ts";
import { type Parsed, parseExpression, parseReference, printReference, type Reference } from "./reference.ts";

/** Where a call may write: alternatives (`||`, P10) of fan-outs (`&&`, P11). Every target is of kind `state` (P9). */
export type OutputPath = readonly (readonly Target[])[];

/** One place in the state that can be written: object keys only; an empty path stands for the whole state (P9). */
export interface Target extends Reference {
  kind: "state";
  path: readonly string[];
}

/** What the event of a write holds of its path. */
export const LONGEST_TARGET = 2_000;

/** Reads `†state.a && †state.b || †state.error` (P9–P11). */
export function parseOutputPath(text: string): Parsed<OutputPath> {
  const expression = parseExpression(text, unwritable);
  return expression.ok ? { ok: true, value: expression.value.map((fanOut) => fanOut.map(asTarget)) } : expression;
}

/** Reads the one path that a write names: `†state.deal.amount` (P9). */
export function parsePath(text: string): Parsed<Target> {
  const reference = parseReference(text, unwritable);
  return reference.ok ? { ok: true, value: asTarget(reference.value) } : reference;
}

function unwritable(reference: Reference, before: readonly Reference[] = []): LocalizedText | null {
  if (reference.kind !== "state")
    return localized("only_state_written")`only †state can be written, not †${reference.kind}`;
  const position = reference.path.find((segment) => typeof segment === "number");
  if (position !== undefined)
    return localized(
      "index_not_written",
    )`[${position}] is an array index, and only object keys can be written; write a numeric key as ["${position}"]`;
  const text = printReference(reference);
  if (text.length > LONGEST_TARGET)
    return localized("path_too_long")`this path has more than ${LONGEST_TARGET} characters`;
  const other = before.find((target) => isInside(target, reference));
  if (other === undefined) return null;
  return localized(
    "overlapping_targets",
  )`one result cannot be written to both ${text} and ${printReference(other)}, because one contains the other`;
}

/** The state as a whole is no such target: it stands for keys that only the tool tells (P9). */
function isInside(a: Reference, b: Reference): boolean {
  return a.path.length > 0 && b.path.length > 0 && overlaps(a, b);
}

function asTarget(reference: Reference): Target {
  return { kind: "state", path: reference.path.map(String) };
}
