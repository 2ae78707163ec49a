import type { SyntaxNode } from "@lezer/common";
import type { Json } from "../../session/json/json.ts";
import { type OutputPath, parseOutputPath, type Target } from "../output-path.ts";
import { overlaps } from "../overlap.ts";
import { type Path, parseText, printExpression, type Reference } from "../reference.ts";
import { nameOf, propertiesOf, stringOf, valuesIn, writtenValue } from "./json-text.ts";
import type { PlanText } from "./plan-text.ts";
import type { TextEdit } from "./text-edit.ts";

/** An output path as written; null for none, or an invalid one. */
export function outputPathOf(value: Json | undefined): OutputPath | null {
  const read = typeof value === "string" ? parseOutputPath(value) : null;
  return read?.ok ? read.value : null;
}

/** A state path, named after `name`, that no call of the plan writes. */
export function freePath({ calls }: Pick<PlanText, "calls">, name: string, others: readonly Reference[] = []): Target {
  const written = [...calls.flatMap(({ _outputPath }) => outputPathOf(_outputPath)?.flat() ?? []), ...others];
  const key = name.replaceAll(/[^\p{L}\p{Nd}_-]+/gu, "_").replace(/^_+|_+$/g, "") || "result";
  for (let count = 1; ; count++) {
    const path: Target = { kind: "state", path: [count === 1 ? key : `${key}_${count}`] };
    if (!written.some((other) => other.path.length > 0 && overlaps(other, path))) return path;
  }
}

/** Renames a state path, and what is below it, wherever calls write or read it. Other text is unchanged. */
export function renamePath(plan: PlanText, from: Path, to: Path): TextEdit[] {
  const edits: TextEdit[] = [];
  const rename = (reference: Reference): Reference =>
    reference.kind === "state" && from.every((key, index) => reference.path[index] === key)
      ? { kind: "state", path: [...to, ...reference.path.slice(from.length)] }
      : reference;
  const visit = (node: SyntaxNode): void => {
    if (node.name === "Object") for (const property of propertiesOf(node)) visitValue(property);
    else if (node.name === "Array") for (const item of valuesIn(node)) visit(item);
    else if (node.name === "String") {
      const text = stringOf(plan.json, node);
      const read = parseText(text);
      if (!read.ok || read.value.kind === "literal") return;
      const { expression } = read.value;
      const renamed = expression.map((gate) => gate.map(rename));
      if (printExpression(renamed) === printExpression(expression)) return;
      edits.push({ from: node.from, to: node.to, insert: JSON.stringify(printExpression(renamed)) });
    }
  };
  const visitValue = (property: SyntaxNode): void => {
    const value = writtenValue(property);
    if (value) visit(value);
  };
  for (const call of plan.nodes) {
    for (const property of propertiesOf(call)) {
      const name = nameOf(plan.json, property);
      if (!name.startsWith("_") || name === "_outputPath") visitValue(property);
    }
  }
  return edits;
}
