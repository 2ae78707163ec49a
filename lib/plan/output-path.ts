import { type Parsed, parseExpression, parseReference, type Reference } from "./reference.ts";

/** Where a call may write: alternatives (`||`, P10) of fan-outs (`&&`, P11). Every target is of kind `state` (P9). */
export type OutputPath = readonly (readonly Target[])[];

/** One place in the state that can be written: object keys only; an empty path stands for the whole state (P9). */
export type Target = Reference & { kind: "state"; path: readonly string[] };

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

function unwritable(reference: Reference): string | null {
  if (reference.kind !== "state") return `only †state can be written, not †${reference.kind}`;
  const position = reference.path.find((segment) => typeof segment === "number");
  return position === undefined ? null : `[${position}] is a position in an array; only object keys can be written`;
}

function asTarget(reference: Reference): Target {
  return { kind: "state", path: reference.path.map(String) };
}
