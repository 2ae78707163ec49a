import type { OutputPath } from "../output-path.ts";
import {
  type Expression,
  type Path,
  parseText,
  printExpression,
  printReference,
  type Reference,
  valueAt,
} from "../reference.ts";
import { isErrorTarget } from "../validate/targets.ts";
import { freePath, outputPathOf } from "./paths.ts";
import { callOf, type PlanText } from "./plan-text.ts";
import { setValue } from "./set-value.ts";
import { inTextOrder, type TextEdit } from "./text-edit.ts";

/** How a new reference joins one that the parameter has: in its place, as its fallback (`||`), or as its gate (`&&`). */
export type Joining = "replace" | "fallback" | "gate";

/** An edge to write. */
export interface NewEdge {
  writer: string;
  reader: string;
  parameter: Path;
  /** What is read; null for a new output path of the writer. */
  path: Reference | null;
  joining: Joining;
}

/**
 * Writes an edge: the reader's parameter becomes a reference, and a writer without an output path gets one. Null when
 * there are no such calls.
 */
export function connect(plan: PlanText, edge: NewEdge): { edits: TextEdit[]; path: Reference } | null {
  const { writer, reader, parameter, joining } = edge;
  const [from, to] = [callOf(plan, writer), callOf(plan, reader)];
  if (!from || !to || writer === reader) return null;
  const path = edge.path ?? freePath(plan, writer);
  const value = printExpression(joined(expressionAt(to.call, parameter), path, joining));
  const read = setValue(plan, reader, parameter, value);
  const written = edge.path ? [] : setValue(plan, writer, ["_outputPath"], printReference(path));
  return read && written && { edits: inTextOrder([...read, ...written]), path };
}

/** The expression with which a parameter reads; null for a value. */
export function expressionAt(call: Parameters<typeof valueAt>[0], parameter: Path): Expression | null {
  const value = valueAt(call, parameter);
  const read = typeof value === "string" ? parseText(value) : null;
  return read?.ok && read.value.kind === "expression" ? read.value.expression : null;
}

/** An expression with one more reference. A gate has to be present for each alternative. */
export function joined(expression: Expression | null, reference: Reference, joining: Joining): Expression {
  if (!expression) return [[reference]];
  switch (joining) {
    case "replace":
      return [[reference]];
    case "fallback":
      return [...expression, [reference]];
    case "gate":
      return expression.map((gate) => [reference, ...gate]);
    default:
      return joining satisfies never;
  }
}

/** Adds an alternative to a call's output path: a branch that its tool may choose, or where its error goes. */
export function addAlternative(plan: PlanText, id: string, kind: "branch" | "error"): TextEdit[] | null {
  const found = callOf(plan, id);
  if (!found) return null;
  const own: OutputPath = outputPathOf(found.call._outputPath) ?? [[freePath(plan, id)]];
  const added = freePath(plan, kind === "error" ? `${id}_error` : `${id}_or`, own.flat());
  // Only the last alternative can take the error.
  const takesError = kind === "branch" && own.length > 1 && own.at(-1)?.every(isErrorTarget);
  const all = takesError ? own.toSpliced(-1, 0, [added]) : [...own, [added]];
  return setValue(plan, id, ["_outputPath"], printExpression(all));
}
