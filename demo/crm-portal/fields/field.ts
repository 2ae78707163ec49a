import type { Json, JsonObject } from "../../../lib/session/json/json.ts";
import { crmRefusal } from "../refusal.ts";
import { readTime, writeDay, writeTime } from "../times.ts";

/** Bitrix24's type names, as in `crm.*.fields`. */
export type FieldType =
  | ("integer" | "double" | "string" | "char" | "boolean" | "date" | "datetime" | "user" | "object")
  | ("crm_status" | "crm_category" | "crm_currency" | "crm_company" | "crm_contact" | "crm_lead" | "crm_quote")
  | ("crm_multifield" | "crm_enum_activitytype");

/** The definition of a field. */
export interface Field {
  type: FieldType;
  title: string;
  /** Read-only: writes are ignored. */
  readOnly?: boolean;
  /** Writable on creation only. */
  immutable?: boolean;
  multiple?: boolean;
  required?: boolean;
  /** The directory of a `crm_status`. */
  statusType?: string;
  /** The default value; null if undefined. */
  initial?: Json;
}

export type Fields = Record<string, Field>;

/** How values of a field are compared. */
export type Comparison = "number" | "time" | "flag" | "text";

/** The comparison for filters and orders. */
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

/** The field by name; undefined for unknown names, including inherited properties. */
export function fieldOf(fields: Fields, name: string): Field | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** A record with defaults only. Multiple fields have no default. */
export function blankRecord(fields: Fields): JsonObject {
  const there = Object.entries(fields).filter(([, { multiple, initial }]) => !multiple || initial !== undefined);
  return Object.fromEntries(there.map(([name, { initial = null }]) => [name, initial]));
}

/**
 * Converts written values: unknown and read-only fields are left out, as in Bitrix24, and immutable ones of an existing
 * record. Throws `Refusal` for an invalid value.
 */
export function writtenFields(fields: Fields, given: JsonObject, isNew: boolean): JsonObject {
  const taken = Object.entries(given).flatMap(([name, value]) => {
    const field = fieldOf(fields, name);
    if (!field || field.readOnly || (field.immutable && !isNew)) return [];
    return [[name, keptValue(field, value)] as const];
  });
  return Object.fromEntries(taken);
}

/** Converts a value to its stored form. Throws `Refusal` when it is invalid. */
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
  // 0 means no reference, except for pipelines, where 0 is one.
  return isReference && Number(text) === 0 ? null : String(Number(text));
}

function time(field: Field, text: string): string {
  const moment = readTime(text);
  if (moment === null) throw unfit(field);
  return field.type === "date" ? writeDay(moment) : writeTime(moment);
}

/** Whether Bitrix24 accepts a value as true. */
export function isYes(value: Json | undefined): boolean {
  return value === true || value === 1 || value === "1" || value === "Y" || value === "y" || value === "true";
}

function unfit({ title }: Field): Error {
  return crmRefusal(`Invalid value for the "${title}" field`);
}

/** Field definitions as in `crm.*.fields`. */
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
