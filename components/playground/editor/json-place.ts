import { jsonLanguage } from "@codemirror/lang-json";
import type { SyntaxNode, Tree } from "@lezer/common";
import type { Path } from "@/lib/plan/reference.ts";

/** A range of a text, in UTF-16 units. */
export interface Range {
  from: number;
  to: number;
}

/** A JSON text with its syntax tree, which may be incomplete. */
export interface JsonText {
  text: string;
  tree: Tree;
}

/** A string or property name at a position. */
export interface Place {
  /** Its path. */
  path: Path;
  /** Its range with quotes. */
  range: Range;
  /** It is a property's name, not a value. */
  isName: boolean;
}

const VALUES: ReadonlySet<string> = new Set(["Object", "Array", "String", "Number", "True", "False", "Null"]);

/** Parses a text as JSON, with error recovery. */
export function readJson(text: string): JsonText {
  return { text, tree: jsonLanguage.parser.parse(text) };
}

/** The root value; null for none. */
export function rootOf({ tree }: JsonText): SyntaxNode | null {
  return valuesIn(tree.topNode)[0] ?? null;
}

/** The child values of a node, in order. */
export function valuesIn(node: SyntaxNode): SyntaxNode[] {
  return childrenOf(node).filter(({ name }) => VALUES.has(name));
}

/** The properties of an object, in order. */
export function propertiesOf(node: SyntaxNode): SyntaxNode[] {
  return childrenOf(node).filter(({ name }) => name === "Property");
}

/** A property's name, or a string's value; an incomplete one is read as far as it goes. */
export function stringOf({ text }: JsonText, { from, to }: Range): string {
  const written = text.slice(from, to);
  try {
    return String(JSON.parse(written));
  } catch {
    return written.replace(/^"|"$/g, "");
  }
}

/** The name of a property. */
export function nameOf(json: JsonText, property: SyntaxNode): string {
  const name = property.getChild("PropertyName");
  return name ? stringOf(json, name) : "";
}

/** The value of a property; null without one. */
export function writtenValue(property: SyntaxNode): SyntaxNode | null {
  return valuesIn(property)[0] ?? null;
}

/** An object's property by name; of repeated names the last one, which counts. */
export function propertyOf(json: JsonText, object: SyntaxNode, name: string): SyntaxNode | null {
  return propertiesOf(object).findLast((property) => nameOf(json, property) === name) ?? null;
}

/** The calls of a plan, or the messages of a context. */
export function entriesOf(json: JsonText): SyntaxNode[] {
  const root = rootOf(json);
  return root?.name === "Array" ? valuesIn(root) : [];
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

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}
