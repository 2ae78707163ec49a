import type { SyntaxNode } from "@lezer/common";
import type { Json } from "../../session/json/json.ts";
import { type Path, valueAt } from "../reference.ts";
import { type JsonText, nameOf, propertiesOf, propertyOf, valuesIn, writtenValue } from "./json-text.ts";
import { callOf, type PlanText } from "./plan-text.ts";
import { printValue } from "./print-call.ts";
import type { TextEdit } from "./text-edit.ts";
import { appendItem, insertProperty, removeChildren } from "./write-json.ts";

/**
 * Sets a value in a call: `["amount"]`, `["items", 0, "id"]`, `["_outputPath"]`. Missing parents are added. Null when
 * the call does not exist, or when a parent is another value.
 */
export function setValue(plan: PlanText, id: string, path: Path, value: Json): TextEdit[] | null {
  const found = callOf(plan, id);
  if (!found || path.length === 0) return null;
  const { json } = plan;
  let node = found.node;
  for (const [depth, key] of path.entries()) {
    const child = childOf(json, node, key);
    if (!child) {
      const rest = nested(path.slice(depth + 1), value);
      if (node.name === "Object" && typeof key === "string")
        return [insertProperty(json, node, depth === 0 ? placeFor(json, node, key) : lastProperty(node), key, rest)];
      if (node.name === "Array" && key === valuesIn(node).length) return [appendItem(json, node, rest)];
      return null;
    }
    node = child;
  }
  if (isEqual(valueAt(found.call, path), value)) return [];
  const line = json.text.lastIndexOf("\n", node.from - 1);
  const indent = /^\s*/.exec(json.text.slice(line + 1, node.from))?.[0] ?? "";
  return [{ from: node.from, to: node.to, insert: printValue(value, indent) }];
}

/** Removes a property or an item of a call, with its comma; nothing when it is not there. */
export function removeValue(plan: PlanText, id: string, path: Path): TextEdit[] {
  const key = path.at(-1);
  let node: SyntaxNode | null = callOf(plan, id)?.node ?? null;
  for (const parent of path.slice(0, -1)) node = node && childOf(plan.json, node, parent);
  if (!node || key === undefined) return [];
  const isObject = node.name === "Object";
  const children = isObject ? propertiesOf(node) : valuesIn(node);
  // Of a repeated name all go, so that no earlier one counts again.
  const gone = children.flatMap((child, index) =>
    isObject ? (nameOf(plan.json, child) === key ? [index] : []) : index === key ? [index] : [],
  );
  return gone.length === 0 ? [] : removeChildren(node, children, new Set(gone));
}

function childOf(json: JsonText, node: SyntaxNode, key: string | number): SyntaxNode | null {
  if (node.name === "Array") return typeof key === "number" ? (valuesIn(node)[key] ?? null) : null;
  if (node.name !== "Object") return null;
  const property = propertyOf(json, node, String(key));
  return property && writtenValue(property);
}

/** `["a", 0]` around a value: `{"a": [value]}`. */
function nested(path: Path, value: Json): Json {
  return path.reduceRight<Json>((inner, key) => (typeof key === "number" ? [inner] : { [key]: inner }), value);
}

function lastProperty(object: SyntaxNode): SyntaxNode | null {
  return propertiesOf(object).at(-1) ?? null;
}

/** Parameters come after the last one, else after tool and id; an id after its tool; other meta-properties last. */
function placeFor(json: JsonText, call: SyntaxNode, name: string): SyntaxNode | null {
  const named = propertiesOf(call).map((property) => ({ property, name: nameOf(json, property) }));
  const isHead = (other: { name: string }) => other.name === "_id" || other.name === "_tool";
  const last = named.at(-1)?.property ?? null;
  if (name === "_id") return named.find((other) => other.name === "_tool")?.property ?? null;
  if (name.startsWith("_")) return last;
  return (named.findLast((other) => !other.name.startsWith("_")) ?? named.findLast(isHead))?.property ?? last;
}

function isEqual(one: Json | undefined, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
