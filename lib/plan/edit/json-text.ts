import type { SyntaxNode, Tree } from "@lezer/common";
import { parser } from "@lezer/json";
import type { Range } from "./text-edit.ts";

/** A JSON text with its syntax tree, which may be incomplete. */
export interface JsonText {
  text: string;
  tree: Tree;
}

export const VALUES: ReadonlySet<string> = new Set(["Object", "Array", "String", "Number", "True", "False", "Null"]);

/** Parses a text as JSON, with error recovery. */
export function readJson(text: string): JsonText {
  return { text, tree: parser.parse(text) };
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

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}
