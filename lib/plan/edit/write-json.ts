import type { SyntaxNode } from "@lezer/common";
import type { Json } from "../../session/json/json.ts";
import { type JsonText, propertiesOf, valuesIn } from "./json-text.ts";
import { printValue } from "./print-call.ts";
import type { Range, TextEdit } from "./text-edit.ts";

/** Inserts a property after another one (null: as the first), in the layout of its neighbours. */
export function insertProperty(
  json: JsonText,
  object: SyntaxNode,
  after: SyntaxNode | null,
  name: string,
  value: Json,
): TextEdit {
  const [first] = propertiesOf(object);
  const gap = first ? gapBefore(json, first) : " ";
  const property = `${JSON.stringify(name)}: ${printValue(value, indentOf(gap))}`;
  if (after) return { from: after.to, to: after.to, insert: `,${gap}${property}` };
  if (first) return { from: first.from, to: first.from, insert: `${property},${gap}` };
  return { from: object.from, to: object.to, insert: `{ ${property} }` };
}

/** Appends an item to an array, in the layout of its neighbours. */
export function appendItem(json: JsonText, array: SyntaxNode, value: Json): TextEdit {
  const last = valuesIn(array).at(-1);
  if (!last) return { from: array.from, to: array.to, insert: `[${printValue(value, "")}]` };
  const gap = gapBefore(json, last);
  return { from: last.to, to: last.to, insert: `,${gap}${printValue(value, indentOf(gap))}` };
}

/** Removes some of the siblings in an object or an array, with their commas. */
export function removeChildren(
  parent: SyntaxNode,
  children: readonly SyntaxNode[],
  gone: ReadonlySet<number>,
): TextEdit[] {
  if (children.every((_, index) => gone.has(index)))
    return children.length === 0 ? [] : [{ from: parent.from + 1, to: parent.to - 1, insert: "" }];
  const edits: TextEdit[] = [];
  for (let index = 0; index < children.length; index++) {
    if (!gone.has(index)) continue;
    let end = index;
    while (gone.has(end + 1)) end++;
    const [first, last, before, after] = [children[index], children[end], children[index - 1], children[end + 1]];
    if (first && after) edits.push({ from: first.from, to: after.from, insert: "" });
    else if (before && last) edits.push({ from: before.to, to: last.to, insert: "" });
    index = end;
  }
  return edits;
}

/** The whitespace before a value or a property: a line break with indentation, or a space. */
export function gapBefore({ text }: JsonText, { from }: Range): string {
  let start = from;
  while (start > 0 && /\s/.test(text[start - 1] ?? "")) start--;
  const gap = text.slice(start, from);
  return gap.includes("\n") ? gap.slice(gap.lastIndexOf("\n")) : " ";
}

/** The indentation after a gap. */
export function indentOf(gap: string): string {
  return gap.startsWith("\n") ? gap.slice(1) : "";
}
