import { isJsonObject, type Json, type JsonObject } from "@/lib/session/json/json.ts";
import { findRepeatedName } from "@/lib/session/json/json-names.ts";
import { findLostNumber } from "@/lib/session/json/json-number.ts";

/** How a parameter is written by hand: as words, as a figure, as yes or no, or as JSON. */
export type FieldKind = "text" | "number" | "boolean" | "json";

/** One parameter of an action, ready to be edited. */
export interface ParamField {
  /** Where it stands: `["fields", "OPPORTUNITY"]`. */
  path: string[];
  kind: FieldKind;
  /** What stands in its field; `true` or `false` for yes or no. */
  text: string;
}

/** What is wrong with what was written, by the field's pointer. */
export type FieldFaults = Record<string, FieldFault>;
/** `inexact`: a number in it would be sent as another one; `repeated`: a name stands twice in it, and one value would be lost. */
export type FieldFault = "number" | "json" | "inexact" | "repeated";

/** An action keeps what it changes one level down (`fields`); what is nested deeper is written as JSON. */
const DEPTH = 2;

/** The parameters of an action as fields: a value keeps its kind, so that `7` stays a number and `"7"` a text. */
export function fieldsOf(params: JsonObject, at: string[] = []): ParamField[] {
  return Object.entries(params).flatMap(([name, value]) => {
    const path = [...at, name];
    const isGroup = isJsonObject(value) && path.length < DEPTH && Object.keys(value).length > 0;
    return isGroup ? fieldsOf(value, path) : [{ path, ...fieldOf(value) }];
  });
}

function fieldOf(value: Json): Pick<ParamField, "kind" | "text"> {
  switch (typeof value) {
    case "string":
      return { kind: "text", text: value };
    case "number":
      return { kind: "number", text: String(value) };
    case "boolean":
      return { kind: "boolean", text: String(value) };
    default:
      return { kind: "json", text: JSON.stringify(value, null, 2) };
  }
}

/** A field by its JSON Pointer into the parameters: `/fields/OPPORTUNITY`. */
export function pointerOf({ path }: Pick<ParamField, "path">): string {
  return path.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Reads the fields back into parameters, or tells which cannot be read. */
export function readFields(
  fields: readonly ParamField[],
): { ok: true; params: JsonObject } | { ok: false; faults: FieldFaults } {
  const read = fields.map((field) => ({ field, value: readField(field) }));
  const faults = read.flatMap(({ field, value }) =>
    value === undefined ? [[pointerOf(field), faultOf(field)] as const] : [],
  );
  if (faults.length > 0) return { ok: false, faults: Object.fromEntries(faults) };
  const values = read.flatMap(({ field: { path }, value }) => (value === undefined ? [] : [{ path, value }]));
  return { ok: true, params: nest(values) };
}

/** Values put back to where their paths lead, in their order. */
function nest(values: readonly { path: string[]; value: Json }[]): JsonObject {
  const groups = Map.groupBy(values, ({ path: [name = ""] }) => name);
  const entries = [...groups].map(([name, members]): [string, Json] => {
    const [first] = members;
    if (first?.path.length === 1) return [name, first.value];
    return [name, nest(members.map(({ path, value }) => ({ path: path.slice(1), value })))];
  });
  // fromEntries defines own keys, so that a parameter named __proto__ stays one (P8).
  return Object.fromEntries(entries);
}

/** A field's value; undefined where it cannot be read. */
function readField({ kind, text }: ParamField): Json | undefined {
  switch (kind) {
    case "text":
      return text;
    case "boolean":
      return text === "true";
    case "number":
      // JSON's own notation: Number() would take "" for 0 and "0x10" for 16.
      return numberOf(text.trim());
    case "json":
      return parseJson(text);
    default:
      return kind satisfies never;
  }
}

function faultOf({ kind, text }: ParamField): FieldFault {
  const fault = faultIn(text);
  if (fault === "inexact" || fault === "repeated") return fault;
  return kind === "number" ? "number" : "json";
}

/** What is wrong with a text that should be JSON; null where nothing is. */
export function faultIn(text: string): "json" | "inexact" | "repeated" | null {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    return "json";
  }
  if (findLostNumber(text) !== null) return "inexact";
  return findRepeatedName(text, value) === null ? null : "repeated";
}

function numberOf(text: string): number | undefined {
  const value = parseJson(text);
  return typeof value === "number" ? value : undefined;
}

/** A text as JSON; undefined where it is none, or another one would be sent. */
export function parseJson(text: string): Json | undefined {
  return faultIn(text) === null ? JSON.parse(text) : undefined;
}

/** Where the parameters stand in the request, whose faults an answer tells by JSON Pointer. */
const PARAMS = "/action/params";

/** Whether a fault of an answer is about this field: `/action/params/amount/value` is about `/amount`. */
export function isAbout(path: string, field: ParamField): boolean {
  return `${path}/`.startsWith(`${PARAMS}${pointerOf(field)}/`);
}
