import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import { readJson } from "../../session/json/json-text.ts";
import { namesNull, propertiesOf, requiredOf, shapesOf } from "./schema-parts.ts";

/**
 * How deep a model's answer may nest, and how deep what it writes as JSON text inside: together, and with what an event
 * puts around them, less than the 64 levels that every reader of events takes (E11).
 */
export const MOST_LEVELS = 32;
const MOST_LEVELS_WITHIN = 24;

/** The key under which the strict format takes what it cannot express, as JSON text. */
export const JSON_TEXT = "_json";

/** Reads a model's JSON. The reason against it is written for the model. */
export function readAnswer(text: string): { ok: true; value: Json } | { ok: false; reason: string } {
  const read = readJson(text, MOST_LEVELS, "as_written");
  return read.ok ? read : { ok: false, reason: read.flaw.message };
}

/** Puts each `{"_json": "…"}` as the value that its text writes. A text that is no JSON stays, for validation to name. */
export function unwrapped(value: Json): Json {
  if (Array.isArray(value)) return value.map(unwrapped);
  if (!isJsonObject(value)) return value;
  const text = value[JSON_TEXT];
  if (typeof text === "string" && Object.keys(value).length === 1) {
    const read = readJson(text, MOST_LEVELS_WITHIN, "as_written");
    return read.ok ? read.value : value;
  }
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, unwrapped(child)]));
}

/**
 * Leaves out the keys that are null where the schema has an optional key and does not name null: the strict format knows
 * no other way to leave a key out. `document` is what the schema's `$ref` point into.
 */
export function withoutAbsent(value: Json, schema: Json | undefined, document: Json): Json {
  return cleaned(value, shapesOf(schema, document), document);
}

function cleaned(value: Json, shapes: readonly JsonObject[], document: Json): Json {
  if (shapes.length === 0) return value;
  if (Array.isArray(value)) {
    const items = shapes.flatMap((shape) => shapesOf(shape.items, document));
    return value.map((child) => cleaned(child, items, document));
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, child]) => {
      const declaring = shapes.filter((shape) => Object.hasOwn(propertiesOf(shape), key));
      const declared = declaring.map((shape) => propertiesOf(shape)[key]);
      if (child === null && declaring.length > 0 && isOptional(key, shapes) && !declared.some(named)) return [];
      const inner = declared.flatMap((each) => shapesOf(each, document));
      return [[key, cleaned(child, inner, document)]];
    }),
  );

  function named(each: Json | undefined): boolean {
    return namesNull(each, document);
  }
}

function isOptional(key: string, shapes: readonly JsonObject[]): boolean {
  return !shapes.some((shape) => requiredOf(shape).includes(key));
}
