import { isJsonObject, type Json, type JsonObject } from "../../lib/session/json/json.ts";
import type { Locale } from "../../lib/session/locale.ts";
import { FORMATS, isFormat } from "./formats.ts";
import type { Line, Listing, Words } from "./script.ts";

/** The values of templates, by name. */
export type Scope = Readonly<Record<string, Json>>;

/** `{path}`, `{path|format}`, `{path|format:path}`. */
const PLACE = /\{([a-z_][\w.]*)(?:\|([a-z]+)(?::([a-z_][\w.]*))?)?\}/gi;
const ONE_PLACE = /^\{([a-z_][\w.]*)\}$/i;
const PERHAPS = /\[\?([^\]]*)\]/g;

/** Shown for a missing value. */
const MISSING = "—";

/** The lines of a text. */
export function fillWords(words: Words, scope: Scope, locale: Locale): string {
  return words[locale].flatMap((line) => linesOf(line, scope, locale)).join("\n");
}

/** Fills a line: `{path|format}` is a value, and `[? …]` is left out when a value in it is missing. */
export function fillLine(template: string, scope: Scope, locale: Locale): string {
  const kept = template.replaceAll(PERHAPS, (_, part: string) => (hasAll(part, scope) ? part : ""));
  return kept.replaceAll(PLACE, (_, path: string, format?: string, detail?: string) => {
    const value = valueAt(scope, path);
    return isAbsent(value)
      ? MISSING
      : printed(value, format, detail === undefined ? null : valueAt(scope, detail), locale);
  });
}

/**
 * The parameters of a call: a string that is one placeholder becomes its value. Missing values are left out, and so are
 * list items with a missing value.
 */
export function fillParams(params: JsonObject, scope: Scope, locale: Locale): JsonObject {
  return Object.fromEntries(
    Object.entries(params).flatMap(([key, template]) => {
      const value = fillValue(template, scope, locale);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

/** The value at a dotted path; undefined for none. */
export function valueAt(scope: Scope, path: string): Json | undefined {
  let found: Json | undefined = scope;
  for (const key of path.split(".")) {
    const within: Json | undefined = found;
    if (Array.isArray(within)) found = within[Number(key)];
    else found = isJsonObject(within) && Object.hasOwn(within, key) ? within[key] : undefined;
  }
  return found;
}

function fillValue(template: Json, scope: Scope, locale: Locale): Json | undefined {
  if (Array.isArray(template)) {
    const items = template
      .filter((item) => hasAllWithin(item, scope))
      .map((item) => fillValue(item, scope, locale))
      .filter((item) => item !== undefined);
    return items.length === 0 && template.length > 0 ? undefined : items;
  }
  if (isJsonObject(template)) return fillParams(template, scope, locale);
  if (typeof template !== "string") return template;
  const path = ONE_PLACE.exec(template)?.[1];
  const needed = template.replaceAll(PERHAPS, "");
  if (path === undefined) return hasAll(needed, scope) ? fillLine(template, scope, locale) : undefined;
  const value = valueAt(scope, path);
  return isAbsent(value) ? undefined : value;
}

function linesOf(line: Line, scope: Scope, locale: Locale): string[] {
  if (typeof line !== "string") return listed(line, scope, locale);
  const filled = fillLine(line, scope, locale);
  // A line with only missing values is removed; an intentionally empty one is kept.
  return filled === "" && line !== "" ? [] : [filled];
}

function listed(listing: Listing, scope: Scope, locale: Locale): string[] {
  const { each, where = {}, of, line, title, more, none, first, last } = listing;
  const fitting = itemsOf(valueAt(scope, each)).filter((item) =>
    Object.entries(where).every(([key, value]) => isJsonObject(item) && item[key] === value),
  );
  if (fitting.length === 0) return none === undefined ? [] : [fillLine(none, scope, locale)];
  const told = fitting.slice(last === undefined ? 0 : -last, first);
  const total = Number((of === undefined ? null : valueAt(scope, of)) ?? fitting.length);
  const around = { ...scope, total, rest: total - told.length };
  return [
    ...(title === undefined ? [] : [fillLine(title, around, locale)]),
    ...told.map((item) => fillLine(line, { ...around, ...(isJsonObject(item) ? item : { it: item }) }, locale)),
    ...(more === undefined || around.rest <= 0 ? [] : [fillLine(more, around, locale)]),
  ];
}

function itemsOf(value: Json | undefined): Json[] {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [];
}

/** Whether a list item is complete. */
function hasAllWithin(template: Json, scope: Scope): boolean {
  if (typeof template === "string") return hasAll(template, scope);
  return typeof template !== "object" || template === null
    ? true
    : Object.values(template).every((part) => hasAllWithin(part, scope));
}

function hasAll(template: string, scope: Scope): boolean {
  return [...template.matchAll(PLACE)].every(([, path = ""]) => !isAbsent(valueAt(scope, path)));
}

/** As in the portal: an empty value is not set. */
function isAbsent(value: Json | undefined): value is null | undefined | "" {
  return value === undefined || value === null || value === "";
}

function printed(value: Json, format: string | undefined, detail: Json | undefined, locale: Locale): string {
  if (format === undefined) return typeof value === "object" ? JSON.stringify(value) : String(value);
  if (!isFormat(format)) throw new Error(`A template asks for the format ${format}, which there is none of`);
  return FORMATS[format](value, locale, detail ?? null);
}
