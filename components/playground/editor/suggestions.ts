import { META_PROPERTIES } from "@/lib/plan/call.ts";
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
import { metaSchema, parameterSchema } from "@/lib/plan/schema/tool-schema.ts";
import { isJsonObject, type Json } from "@/lib/session/json/json.ts";
import { objectAt, pathOf, stringAt } from "./json-place.ts";
import { type KnownPath, typeOf } from "./known-paths.ts";
import type { KnownTools } from "./toolbox.ts";

/** What completion knows besides the text, from the newest valid plan. */
export interface Knowledge extends KnownTools {
  paths: readonly KnownPath[];
  kinds: readonly string[];
  instances: readonly string[];
}

export type SuggestionKind = "tool" | "delegate" | "parameter" | "meta" | "path" | "value";

/** A suggestion. */
export interface Suggestion {
  label: string;
  kind: SuggestionKind;
  /** The detail in the list: a type, or the writer of the path. */
  detail: string | null;
  /** Its description. */
  info: string | null;
  /** The inserted text. */
  insert: string;
  /** The cursor's offset in the inserted text. */
  cursor: number;
}

export interface Suggestions {
  /** Where the word starts that is matched. */
  from: number;
  /** The range that is replaced, including quotes if the suggestion has its own. */
  replace: Range;
  items: Suggestion[];
}

/** Suggestions at a position of a plan: tools, parameters, meta-properties and paths. */
export function suggest(json: JsonText, position: number, known: Knowledge): Suggestions | null {
  const place = stringAt(json, position);
  if (!place) return suggestNames(json, position, known);
  const [index, key] = place.path;
  if (typeof index !== "number") return null;
  if (place.isName) return place.path.length === 2 ? named(json, place.range, known) : null;
  if (typeof key !== "string") return null;
  const inner = { from: place.range.from + 1, to: place.range.to - 1 };
  const values = valuesFor(json, place.path, known);
  const written = json.text.slice(inner.from, position);
  if (values.references && (written === "" || written.includes("†"))) {
    const from = inner.from + Math.max(written.lastIndexOf("†"), 0);
    const to = position + (/^[^"\s|&†]*/u.exec(json.text.slice(position, inner.to))?.[0].length ?? 0);
    const own = values.own;
    const items = known.paths.filter(({ writer }) => writer === null || writer !== own).map(pathItem);
    return { from, replace: { from, to }, items: written === "" ? [...values.items, ...items] : items };
  }
  return values.items.length === 0 ? null : { from: inner.from, replace: inner, items: values.items };
}

/** Property names without a quote. */
function suggestNames(json: JsonText, position: number, known: Knowledge): Suggestions | null {
  const object = objectAt(json, position);
  if (!object || pathOf(json, object).length !== 1) return null;
  const word = /[\p{L}\p{Nd}_.-]*$/u.exec(json.text.slice(0, position))?.[0] ?? "";
  return named(json, { from: position - word.length, to: position }, known);
}

/** The properties that the call does not have yet. */
function named(json: JsonText, range: Range, { tools }: Knowledge): Suggestions | null {
  const node = json.tree.resolveInner(range.from, 1);
  const inside = node.name === "PropertyName" ? node.parent?.parent : objectAt(json, range.from);
  if (inside?.name !== "Object") return null;
  const own = node.name === "PropertyName" ? node.parent : null;
  const taken = new Set(
    propertiesOf(inside)
      .filter(({ from }) => from !== own?.from)
      .map((property) => nameOf(json, property)),
  );
  const toolName = propertyOf(json, inside, "_tool");
  const value = toolName && writtenValue(toolName);
  const tool = tools.get(value ? stringOf(json, value) : "");
  const schema = tool ? parameterSchema(tool) : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const parameters = Object.entries(isJsonObject(schema.properties) ? schema.properties : {});
  // A property with a value only gets another name.
  const isWhole = own !== null && writtenValue(own) !== null;
  const item = (name: string, kind: SuggestionKind, of: Json | undefined, isRequired: boolean): Suggestion => ({
    label: name,
    kind,
    detail: [typeOf(of), isRequired ? "*" : null].filter((word) => word !== null).join(" ") || null,
    info: isJsonObject(of) && typeof of.description === "string" ? of.description : null,
    ...(isWhole ? whole(JSON.stringify(name)) : property(name, kind === "meta" ? metaType(name) : typeOf(of))),
  });
  const items = [
    ...parameters.map(([name, of]) => item(name, "parameter", of, required.has(name))),
    ...META_PROPERTIES.map((name) => item(name, "meta", tool && metaSchema(tool, name), name === "_tool")),
  ];
  return {
    from: range.from + (own ? 1 : 0),
    replace: range,
    items: items.filter(({ label }) => !taken.has(label)),
  };
}

function metaType(name: string): string {
  if (name === "_scopes") return "array";
  return name === "_output" ? "any" : "string";
}

/** A property with a placeholder value. */
function property(name: string, type: string | null): Pick<Suggestion, "insert" | "cursor"> {
  const head = `${JSON.stringify(name)}: `;
  const kind = type?.split(" | ")[0] ?? "string";
  const pair = { string: '""', array: "[]", object: "{}" }[kind];
  return pair ? { insert: head + pair, cursor: head.length + 1 } : whole(head);
}

function whole(insert: string): Pick<Suggestion, "insert" | "cursor"> {
  return { insert, cursor: insert.length };
}

interface Values {
  items: Suggestion[];
  /** A reference is possible, too. */
  references: boolean;
  /** The call itself, whose results it cannot read. */
  own: string | null;
}

function valuesFor(json: JsonText, path: readonly (string | number)[], known: Knowledge): Values {
  const [, key] = path;
  const plain = (items: Suggestion[]): Values => ({ items, references: false, own: null });
  const names = (all: Iterable<string>) => plain([...all].map((name) => valueItem(name, "value")));
  switch (key) {
    case "_tool":
    case "_activity":
      return plain([...known.tools.values()].map(({ name, description }) => valueItem(name, "tool", description)));
    case "_delegate":
      return plain([...known.delegates.keys(), "anonymous"].map((name) => valueItem(name, "delegate")));
    case "_scopes":
      return names(known.kinds);
    case "_instance":
      return names(known.instances);
    case "_outputPath":
      return plain(freePaths(json, known).map((one) => valueItem(one, "path")));
    case "_id":
    case "_reasoningForCall":
    case "_output":
      return plain([]);
    default:
      return { items: enumItems(json, path, known), references: true, own: callId(json, path) };
  }
}

/** Paths of the state schema and paths that calls read, as output paths. */
function freePaths(json: JsonText, { paths }: Knowledge): string[] {
  const read = json.text.match(/†state(?:\.[\p{L}\p{Nd}_-]+)+/gu) ?? [];
  return [...new Set([...paths.filter(({ writer }) => writer === null).map(({ path }) => path), ...read])].filter(
    (path) => path.startsWith("†state."),
  );
}

function textIn(json: JsonText, path: readonly (string | number)[], name: string): string | null {
  const call = typeof path[0] === "number" ? entriesOf(json)[path[0]] : undefined;
  const found = call && propertyOf(json, call, name);
  const value = found && writtenValue(found);
  return value ? stringOf(json, value) : null;
}

function callId(json: JsonText, path: readonly (string | number)[]): string | null {
  return textIn(json, path, "_id");
}

function enumItems(json: JsonText, path: readonly (string | number)[], { tools }: Knowledge): Suggestion[] {
  const tool = tools.get(textIn(json, path, "_tool") ?? "");
  let schema: Json | undefined = tool && parameterSchema(tool);
  for (const key of path.slice(1)) {
    if (!isJsonObject(schema)) return [];
    schema =
      typeof key === "number" ? schema.items : isJsonObject(schema.properties) ? schema.properties[key] : undefined;
  }
  const values = isJsonObject(schema) && Array.isArray(schema.enum) ? schema.enum : [];
  return values.filter((value) => typeof value === "string").map((value) => valueItem(value, "value"));
}

function valueItem(name: string, kind: SuggestionKind, info = ""): Suggestion {
  const written = JSON.stringify(name).slice(1, -1);
  return { label: name, kind, detail: null, info: info || null, ...whole(written) };
}

function pathItem({ path, writer, type }: KnownPath): Suggestion {
  const detail = [type, writer].filter((word) => word !== null).join(" · ");
  return { label: path, kind: "path", detail: detail || null, info: null, ...whole(JSON.stringify(path).slice(1, -1)) };
}
