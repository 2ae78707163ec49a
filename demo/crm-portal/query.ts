import type { Json, JsonObject } from "../../lib/session/json/json.ts";
import { isJsonObject } from "../../lib/session/json/json.ts";
import { comparisonOf, type Field, type Fields, fieldOf, isYes } from "./fields/field.ts";
import { asArray } from "./php-array.ts";
import { readTime } from "./times.ts";

/** Bitrix24's page size. */
const PAGE_SIZE = 50;

/** Longest first, so that `>=` is not parsed as `>`. */
const OPERATORS = ["!=%", "!%=", "!@", "!%", "!=", ">=", "<=", "=%", "%=", ">", "<", "=", "!", "@", "%"] as const;
type Operator = (typeof OPERATORS)[number];

type Comparable = number | string | null;
type Test = (record: JsonObject) => boolean;

/** The records that match a filter `{">=OPPORTUNITY": 1000}`. Unknown fields are ignored. */
export function filterRecords(records: readonly JsonObject[], fields: Fields, filter: JsonObject): JsonObject[] {
  const tests = Object.entries(filter).flatMap(([key, wanted]) => testOf(key, wanted, fields) ?? []);
  return records.filter((record) => tests.every((test) => test(record)));
}

function testOf(key: string, wanted: Json, fields: Fields): Test | null {
  const operator = OPERATORS.find((operator) => key.startsWith(operator)) ?? "=";
  const name = key.startsWith(operator) ? key.slice(operator.length) : key;
  const field = fieldOf(fields, name);
  if (!field) return null;
  const targets = comparables(field, wanted);
  return (record) => matches(operator, comparables(field, record[name]), targets);
}

/** A list matches when one of its values does. */
function matches(operator: Operator, values: Comparable[], targets: Comparable[]): boolean {
  switch (operator) {
    case "=":
    case "@":
      return isAny(values, targets, (value, target) => value === target);
    case "!":
    case "!=":
    case "!@":
      return !isAny(values, targets, (value, target) => value === target);
    case ">":
      return isAny(values, targets, (value, target) => compare(value, target) > 0);
    case ">=":
      return isAny(values, targets, (value, target) => compare(value, target) >= 0);
    case "<":
      return isAny(values, targets, (value, target) => compare(value, target) < 0);
    case "<=":
      return isAny(values, targets, (value, target) => compare(value, target) <= 0);
    case "%":
      return isAny(values, targets, (value, target) => String(value ?? "").includes(String(target ?? "")));
    case "!%":
      return !isAny(values, targets, (value, target) => String(value ?? "").includes(String(target ?? "")));
    case "=%":
    case "%=":
      return isAny(values, targets, (value, target) => isLike(String(value ?? ""), String(target ?? "")));
    case "!=%":
    case "!%=":
      return !isAny(values, targets, (value, target) => isLike(String(value ?? ""), String(target ?? "")));
    default:
      return operator satisfies never;
  }
}

function isAny(values: Comparable[], targets: Comparable[], is: (value: Comparable, target: Comparable) => boolean) {
  return targets.some((target) => values.some((value) => is(value, target)));
}

/** Below 0, 0, above 0; NaN when values cannot be compared. */
function compare(value: Comparable, target: Comparable): number {
  if (value === null || target === null) return Number.NaN;
  return value < target ? -1 : value > target ? 1 : 0;
}

/** SQL's LIKE with `%`, without backtracking: each part is searched for after the previous one. */
function isLike(value: string, pattern: string): boolean {
  const [first = "", ...others] = pattern.split("%");
  const last = others.pop();
  if (last === undefined) return value === first;
  if (!value.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = value.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return value.length - last.length >= at && value.endsWith(last);
}

function comparables(field: Field, value: Json | undefined): Comparable[] {
  if (!Array.isArray(value)) return [comparable(field, value)];
  return value.length === 0 ? [null] : value.map((item) => comparable(field, isJsonObject(item) ? item.VALUE : item));
}

function comparable(field: Field, value: Json | undefined): Comparable {
  if (value === undefined || value === null || value === "" || typeof value === "object") return null;
  switch (comparisonOf(field)) {
    case "number":
      return Number.isNaN(Number(value)) ? null : Number(value);
    case "time":
      return readTime(String(value));
    case "flag":
      return isYes(value) ? "y" : "n";
    case "text":
      // The portal's database ignores case.
      return String(value).toLowerCase();
  }
}

/** Sorts by `{FIELD: "ASC" | "DESC"}`; unknown fields are ignored, and ties are sorted by id. */
export function orderRecords(records: readonly JsonObject[], fields: Fields, order: JsonObject): JsonObject[] {
  const keys = Object.entries(order).flatMap(([name, direction]) => {
    const field = fieldOf(fields, name);
    return field ? [{ name, field, sign: String(direction).toUpperCase() === "DESC" ? -1 : 1 }] : [];
  });
  return [...records].sort((a, b) => {
    for (const { name, field, sign } of keys) {
      const difference = rank(comparable(field, a[name]), comparable(field, b[name]));
      if (difference !== 0) return sign * difference;
    }
    return Number(a.ID) - Number(b.ID);
  });
}

/** As in the portal's database, null sorts first. */
function rank(a: Comparable, b: Comparable): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return compare(a, b);
}

/** A page of a list. */
interface Page {
  records: JsonObject[];
  /** Undefined when it was not counted. */
  total?: number;
  /** The start of the next page; undefined on the last one. */
  next?: number;
}

/** The page at `start`, which may be any index. With -1 nothing is counted, as in Bitrix24. */
export function pageOf(records: readonly JsonObject[], start: Json | undefined): Page {
  const asked = Math.trunc(Number(start ?? 0));
  if (asked === -1) return { records: records.slice(0, PAGE_SIZE) };
  const from = asked > 0 ? asked - (asked % PAGE_SIZE) : 0;
  const next = from + PAGE_SIZE;
  return {
    records: records.slice(from, next),
    total: records.length,
    ...(next < records.length && { next }),
  };
}

/** The fields of a record in `select`; `*` or no selection means all but multiple ones. The id is always included. */
export function selectFields(record: JsonObject, fields: Fields, select: Json | undefined): JsonObject {
  const names = Object.values(asArray(select) ?? {}).map(String);
  const all = names.length === 0 || names.includes("*");
  const chosen = Object.entries(fields).filter(
    ([name, field]) => name === "ID" || names.includes(name) || (all && !field.multiple),
  );
  return Object.fromEntries(chosen.flatMap(([name]) => (name in record ? [[name, record[name] ?? null]] : [])));
}
