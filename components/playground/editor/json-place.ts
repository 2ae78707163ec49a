import type { SyntaxNode } from "@lezer/common";
import { type JsonText, nameOf, propertyOf, VALUES, valuesIn, writtenValue } from "@/lib/plan/edit/json-text.ts";
import type { Range } from "@/lib/plan/edit/text-edit.ts";
import type { Path } from "@/lib/plan/reference.ts";

/** A string or property name at a position. */
export interface Place {
  /** Its path. */
  path: Path;
  /** Its range with quotes. */
  range: Range;
  /** It is a property's name, not a value. */
  isName: boolean;
}

/**
 * The range of a JSON Pointer below a value, or of its deepest existing parent; `name` selects the property's name
 * instead of its value.
 */
export function pointerRange(json: JsonText, start: SyntaxNode, pointer: string, wanted: "value" | "name"): Range {
  let node = start;
  let property: SyntaxNode | null = null;
  for (const key of keysOf(pointer)) {
    const found = node.name === "Object" ? propertyOf(json, node, key) : null;
    const next = node.name === "Array" ? (valuesIn(node)[Number(key)] ?? null) : found && writtenValue(found);
    property = found;
    if (!next) return rangeOf(found ?? node);
    node = next;
  }
  const name = wanted === "name" ? property?.getChild("PropertyName") : null;
  return rangeOf(name ?? node);
}

/** The string or property name around a position; null anywhere else. */
export function stringAt(json: JsonText, position: number): Place | null {
  const node = json.tree.resolveInner(position, -1);
  const isName = node.name === "PropertyName";
  if (!isName && node.name !== "String") return null;
  if (position <= node.from || position >= node.to) return null;
  return { path: pathOf(json, node), range: rangeOf(node), isName };
}

/** The object around a position that is in none of its names and values. */
export function objectAt({ tree }: JsonText, position: number): SyntaxNode | null {
  const node = tree.resolveInner(position, -1);
  const inside = node.type.isError ? node.parent : node;
  return inside?.name === "Object" && position > inside.from ? inside : null;
}

/** The path of a node. */
export function pathOf(json: JsonText, node: SyntaxNode): Path {
  const path: (string | number)[] = [];
  for (let at: SyntaxNode | null = node; at; at = at.parent) {
    const { parent } = at;
    if (at.name === "Property") path.unshift(nameOf(json, at));
    else if (parent?.name === "Array" && VALUES.has(at.name))
      path.unshift(valuesIn(parent).findIndex(({ from }) => from === at?.from));
  }
  return path;
}

/** The first position of invalid JSON; null for none. */
export function firstFault({ text, tree }: JsonText): Range | null {
  let found: Range | null = null;
  tree.iterate({
    enter(node) {
      if (found) return false;
      if (!node.type.isError) return true;
      found = { from: node.from, to: Math.max(node.to, Math.min(node.from + 1, text.length)) };
      return false;
    },
  });
  return found;
}

/** The segments of a JSON Pointer (RFC 6901). */
export function keysOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function rangeOf({ from, to }: Range): Range {
  return { from, to };
}
