import type { SyntaxNode } from "@lezer/common";
import {
  entriesOf,
  type JsonText,
  nameOf,
  propertiesOf,
  propertyOf,
  stringOf,
  writtenValue,
} from "@/lib/plan/edit/json-text.ts";
import type { Range } from "@/lib/plan/edit/text-edit.ts";
import { printReference } from "@/lib/plan/reference.ts";

/** An edge to write: the writer, the reader, and the reader's parameter. */
export interface NewEdge {
  /** Indexes of the calls in the plan. */
  writer: number;
  reader: number;
  parameter: string;
  /** The existing output path to read; null to add one. */
  path: string | null;
  /** The name of the new path: the writer's id. */
  id: string;
}

export interface TextChange extends Range {
  insert: string;
}

/** The text changes in order, and the path that is then read. */
export interface WrittenEdge {
  changes: TextChange[];
  path: string;
}

/**
 * Writes an edge into a plan's text: the reader's parameter becomes a reference, and a writer without an output path
 * gets one. The rest of the text is unchanged. Null when there are no such calls.
 */
export function writeEdge(json: JsonText, { writer, reader, parameter, path, id }: NewEdge): WrittenEdge | null {
  const calls = entriesOf(json);
  const from = calls[writer];
  const to = calls[reader];
  if (!from || !to || writer === reader || from.name !== "Object" || to.name !== "Object") return null;
  const read = path ?? freePath(json, calls, id);
  const changes = [writeProperty(json, to, parameter, read, lastParameter(json, to))];
  if (path === null) changes.push(writeProperty(json, from, "_outputPath", read, propertiesOf(from).at(-1)));
  return { changes: changes.sort((one, other) => one.from - other.from), path: read };
}

/** Sets a property, or inserts it after another one. */
function writeProperty(
  json: JsonText,
  object: SyntaxNode,
  name: string,
  value: string,
  after: SyntaxNode | undefined,
): TextChange {
  const written = propertyOf(json, object, name);
  const old = written && writtenValue(written);
  const text = JSON.stringify(value);
  if (old) return { from: old.from, to: old.to, insert: text };
  if (written) return { from: written.from, to: written.to, insert: `${JSON.stringify(name)}: ${text}` };
  const property = `${JSON.stringify(name)}: ${text}`;
  if (!after) return { from: object.from, to: object.to, insert: `{ ${property} }` };
  return { from: after.to, to: after.to, insert: `,${gapBefore(json, after)}${property}` };
}

/** The whitespace before a property: a line break with indentation, or a space. */
function gapBefore({ text }: JsonText, { from }: Range): string {
  const before = text.slice(0, from);
  const gap = before.slice(before.trimEnd().length);
  return gap.includes("\n") ? gap.slice(gap.lastIndexOf("\n")) : " ";
}

/** Parameters are inserted before the output path, else after tool and id. */
function lastParameter(json: JsonText, call: SyntaxNode): SyntaxNode | undefined {
  const properties = propertiesOf(call);
  const named = properties.map((property) => ({ property, name: nameOf(json, property) }));
  return (
    named.findLast(({ name }) => !name.startsWith("_")) ??
    named.findLast(({ name }) => name === "_id" || name === "_tool") ??
    named.at(-1)
  )?.property;
}

/** An unused state path named after the call's id. */
function freePath(json: JsonText, calls: readonly SyntaxNode[], id: string): string {
  const name = id.replaceAll(/[^\p{L}\p{Nd}_-]+/gu, "_").replace(/^_+|_+$/g, "") || "result";
  const taken = calls.map((call) => (call.name === "Object" ? outputOf(json, call) : "")).join(" ");
  for (let count = 1; ; count++) {
    const key = count === 1 ? name : `${name}_${count}`;
    const path = printReference({ kind: "state", path: [key] });
    if (!new RegExp(`${literal(path)}(?![\\p{L}\\p{Nd}_-])`, "u").test(taken)) return path;
  }
}

function outputOf(json: JsonText, call: SyntaxNode): string {
  const property = propertyOf(json, call, "_outputPath");
  const value = property && writtenValue(property);
  return value ? stringOf(json, value) : "";
}

function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
