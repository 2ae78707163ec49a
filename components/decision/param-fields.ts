import { isJsonObject, type Json, type JsonObject } from "@/lib/session/json/json.ts";
import { findRepeatedName } from "@/lib/session/json/json-names.ts";
import { findLostNumber } from "@/lib/session/json/json-number.ts";

/** How a parameter is edited: as text, number, yes or no, or JSON. */
export type FieldKind = "text" | "number" | "boolean" | "json";

/** An editable parameter of an action. */
export interface ParamField {
  /** Its path: `["fields", "OPPORTUNITY"]`. */
  path: string[];
  kind: FieldKind;
  /** The field's text; `true` or `false` for yes or no. */
  text: string;
}

/** Errors by the field's JSON Pointer. */
export type FieldFaults = Record<string, FieldFault>;
/** `inexact`: a number would lose digits; `repeated`: an object has a name twice, so a value would be lost. */
export type FieldFault = "number" | "json" | "inexact" | "repeated";

/** Actions have their fields one level down (`fields`); deeper values are edited as JSON. */
const DEPTH = 2;

/** An action's parameters as fields. Values keep their types: `7` stays a number and `"7"` a string. */
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

/** Reads parameters from the fields, or returns the fields' errors. */
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

/** Sets values at their paths, in order. */
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

/** A field's value; undefined when it is invalid. */
function readField({ kind, text }: ParamField): Json | undefined {
  switch (kind) {
    case "text":
      return text;
    case "boolean":
      return text === "true";
    case "number":
      // A JSON number: Number() would accept "" as 0 and "0x10" as 16.
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

/** What is wrong with a JSON text; null for nothing. */
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

/** The parsed text; undefined when it is invalid or would change when sent. */
export function parseJson(text: string): Json | undefined {
  return faultIn(text) === null ? JSON.parse(text) : undefined;
}

/** Where the parameters are in the request body, for the JSON Pointers of API errors. */
const PARAMS = "/action/params";

/** Whether an API error is about this field: `/action/params/amount/value` is about `/amount`. */
export function isAbout(path: string, field: ParamField): boolean {
  return `${path}/`.startsWith(`${PARAMS}${pointerOf(field)}/`);
}
