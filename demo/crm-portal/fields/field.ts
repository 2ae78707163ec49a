import type { Json, JsonObject } from "../../../lib/session/json/json.ts";
import { crmRefusal } from "../refusal.ts";
import { readTime, writeDay, writeTime } from "../times.ts";

/** Bitrix24's names of types, as `crm.*.fields` gives them. */
export type FieldType =
  | ("integer" | "double" | "string" | "char" | "boolean" | "date" | "datetime" | "user" | "object")
  | ("crm_status" | "crm_category" | "crm_currency" | "crm_company" | "crm_contact" | "crm_lead" | "crm_quote")
  | ("crm_multifield" | "crm_enum_activitytype");

/** What the portal knows of one field of a kind of record. */
export interface Field {
  type: FieldType;
  title: string;
  /** Told, never taken: writing it is ignored. */
  readOnly?: boolean;
  /** Taken when the record is made, ignored afterwards. */
  immutable?: boolean;
  multiple?: boolean;
  required?: boolean;
  /** The directory of a `crm_status`. */
  statusType?: string;
  /** What stands in a new record that does not give it; null by default. */
  initial?: Json;
}

export type Fields = Record<string, Field>;

/** How values of a field are compared. */
export type Comparison = "number" | "time" | "flag" | "text";

/** Tells how values of a field are compared by filters and orders. */
export function comparisonOf({ type }: Field): Comparison {
  switch (type) {
    case "integer":
    case "double":
    case "user":
    case "crm_category":
    case "crm_company":
    case "crm_contact":
    case "crm_lead":
    case "crm_quote":
    case "crm_enum_activitytype":
      return "number";
    case "date":
    case "datetime":
      return "time";
    case "char":
    case "boolean":
      return "flag";
    case "string":
    case "object":
    case "crm_status":
    case "crm_currency":
    case "crm_multifield":
      return "text";
    default:
      return type satisfies never;
  }
}

/** The field of that name; undefined for names that are none, whatever objects inherit. */
export function fieldOf(fields: Fields, name: string): Field | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** A record that gives nothing yet: every field with its first value. Multiple fields without one are not there. */
export function blankRecord(fields: Fields): JsonObject {
  const there = Object.entries(fields).filter(([, { multiple, initial }]) => !multiple || initial !== undefined);
  return Object.fromEntries(there.map(([name, { initial = null }]) => [name, initial]));
}

/**
 * What a writer gives, in the form that the portal keeps: unknown and read-only fields are left out, as Bitrix24 does,
 * and so are immutable ones of a record that is already there. Throws `Refusal` for a value that does not fit.
 */
export function writtenFields(fields: Fields, given: JsonObject, isNew: boolean): JsonObject {
  const taken = Object.entries(given).flatMap(([name, value]) => {
    const field = fieldOf(fields, name);
    if (!field || field.readOnly || (field.immutable && !isNew)) return [];
    return [[name, keptValue(field, value)] as const];
  });
  return Object.fromEntries(taken);
}

/** A value as the portal keeps and tells it. Throws `Refusal` when it does not fit the field. */
function keptValue(field: Field, value: Json): Json {
  if (field.type === "object" || field.type === "crm_multifield") return value;
  if (field.multiple) return (Array.isArray(value) ? value : [value]).map((item) => scalar(field, item));
  return scalar(field, value);
}

function scalar(field: Field, value: Json): Json {
  if (typeof value === "object" && value !== null) throw unfit(field);
  const text = value === null ? "" : String(value).trim();
  switch (comparisonOf(field)) {
    case "flag":
      return isYes(value) ? "Y" : "N";
    case "number":
      return text === "" ? null : number(field, text);
    case "time":
      return text === "" ? null : time(field, text);
    case "text":
      return value === null ? null : String(value);
  }
}

function number(field: Field, text: string): string | null {
  if (field.type === "double") {
    const plain = text.replace(/\s/g, "").replace(",", ".");
    if (!/^-?\d{1,15}(\.\d+)?$/.test(plain)) throw unfit(field);
    return Number(plain).toFixed(2);
  }
  if (!/^\d{1,15}$/.test(text)) throw unfit(field);
  const isReference = field.type !== "integer" && field.type !== "crm_category";
  // A reference to nothing is written as 0; of the pipelines, 0 is one.
  return isReference && Number(text) === 0 ? null : String(Number(text));
}

function time(field: Field, text: string): string {
  const moment = readTime(text);
  if (moment === null) throw unfit(field);
  return field.type === "date" ? writeDay(moment) : writeTime(moment);
}

/** Tells whether Bitrix24 takes a value for a yes. */
export function isYes(value: Json | undefined): boolean {
  return value === true || value === 1 || value === "1" || value === "Y" || value === "y" || value === "true";
}

function unfit({ title }: Field): Error {
  return crmRefusal(`Invalid value for the "${title}" field`);
}

/** Describes fields as `crm.*.fields` does. */
export function describeFields(fields: Fields): JsonObject {
  const described = Object.entries(fields).map(([name, field]) => [
    name,
    {
      type: field.type,
      isRequired: field.required ?? false,
      isReadOnly: field.readOnly ?? false,
      isImmutable: field.immutable ?? false,
      isMultiple: field.multiple ?? false,
      isDynamic: false,
      ...(field.statusType !== undefined && { statusType: field.statusType }),
      title: field.title,
    },
  ]);
  return Object.fromEntries(described);
}
