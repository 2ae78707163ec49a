import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import { type Type, typesOf } from "./schema-parts.ts";

/** A longer list of values is told in words: a whole format may name a thousand. */
export const MOST_VALUES = 100;

/** What the strict format checks, by type; a schema's other keywords are told in its description. */
const CHECKED: Record<Type, readonly string[]> = {
  object: [],
  array: ["minItems", "maxItems"],
  string: ["pattern", "format"],
  number: ["multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  integer: ["multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  boolean: [],
  null: [],
};
const FORMATS = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];
/** Look-around and back-references, which grammars cannot follow. */
const BEYOND_GRAMMARS = /\(\?[=!<]|\\[1-9k]|\\p/i;

/** Keywords that are expressed by the structure, or that check nothing. */
const SILENT = new Set([
  ...[
    "type",
    "properties",
    "required",
    "items",
    "additionalProperties",
    "anyOf",
    "oneOf",
    "allOf",
    "enum",
    "const",
    "$ref",
  ],
  ...["description", "title", "examples", "$schema", "$id", "$comment", "$defs", "definitions", "deprecated"],
  ...["readOnly", "writeOnly", "default"],
]);

/** The keywords of a schema that the strict format checks for a type. */
export function checks(type: Type, schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key, value]) => isChecked(type, key, value)));
}

function isChecked(type: Type, key: string, value: Json): boolean {
  if (!CHECKED[type].includes(key)) return false;
  if (key === "format") return FORMATS.some((format) => format === value);
  return key !== "pattern" || (typeof value === "string" && !BEYOND_GRAMMARS.test(value));
}

/** The schema's own words, with what the strict format does not check. */
export function describe(schema: Json): string {
  if (!isJsonObject(schema)) return "";
  const types = typesOf(schema) ?? [];
  const told = Object.entries(schema).filter(
    ([key, value]) =>
      (!SILENT.has(key) && !types.some((type) => isChecked(type, key, value))) || isRelaxed(key, value, types),
  );
  const words = schema.description ?? schema.title;
  const rest = told.length > 0 ? `Has to fit ${JSON.stringify(Object.fromEntries(told))}` : "";
  const usual = schema.default === undefined ? "" : `When left out: ${JSON.stringify(schema.default)}`;
  return [typeof words === "string" ? words : "", rest, usual].filter((part) => part !== "").join(". ");
}

/** Whether a keyword of the structure could not be kept whole. */
function isRelaxed(key: string, value: Json, types: readonly Type[]): boolean {
  switch (key) {
    case "enum":
      return (
        Array.isArray(value) &&
        (value.length > MOST_VALUES || value.some((each) => typeof each === "object" && each !== null))
      );
    case "const":
      return typeof value === "object" && value !== null;
    case "additionalProperties":
      return isJsonObject(value);
    case "oneOf":
    case "anyOf":
      return types.length > 0;
    case "items":
      return Array.isArray(value);
    case "allOf":
      return Array.isArray(value) && value.some((part) => isJsonObject(part) && part.allOf !== undefined);
    default:
      return false;
  }
}
