import type { ErrorObject } from "ajv";
import { type LocalizedText, localized } from "../plan/localized-text.ts";
import type { Path } from "../plan/reference.ts";
import type { SchemaFault } from "../plan/schema/schema-checker.ts";

/** An error with the errors of the schemas inside of its keyword, which it sums up. */
interface Found {
  error: ErrorObject;
  inner: Found[];
}

/** Keywords that say themselves what came of the schemas inside of them. */
const COMPOSITE = new Set(["anyOf", "oneOf", "contains", "propertyNames"]);
/** More values than this are not listed, and no value is told at more than this length. */
const MOST_VALUES = 10;
const LONGEST_VALUE = 60;

/** What Ajv found against a value, in words that follow the field's name (`SchemaFault`); one fault for each place. */
export function inWords(errors: readonly ErrorObject[], value: unknown): SchemaFault[] {
  const faults = new Map<string, SchemaFault>();
  for (const found of group(errors).flatMap(closest)) {
    const path = pathOf(found.error, value);
    const place = JSON.stringify(path);
    if (!faults.has(place)) faults.set(place, { path, ...messageOf(found) });
  }
  return [...faults.values()];
}

/** Puts errors below the composite that sums them up: Ajv reports them right before it. */
function group(errors: readonly ErrorObject[]): Found[] {
  const open: Found[] = [];
  for (const error of errors) {
    // What failed stands in the errors of `then` or `else`.
    if (error.keyword === "if") continue;
    let first = open.length;
    if (COMPOSITE.has(error.keyword)) while (isInside(open[first - 1]?.error, error)) first -= 1;
    open.push({ error, inner: open.splice(first) });
  }
  return open;
}

function isInside(error: ErrorObject | undefined, composite: ErrorObject): boolean {
  if (!error || !`${error.instancePath}/`.startsWith(`${composite.instancePath}/`)) return false;
  const around = composite.schemaPath.slice(0, composite.schemaPath.lastIndexOf("/") + 1);
  // Errors behind a $ref tell where the definition stands, not who refers to it.
  return (
    error.schemaPath.startsWith(`${composite.schemaPath}/`) ||
    !error.schemaPath.startsWith(around) ||
    /^#\/(\$defs|definitions)\//.test(error.schemaPath)
  );
}

/** Of alternatives all but one of which want another kind of value: the faults of that one, which was meant. */
function closest(found: Found): Found[] {
  if (found.error.keyword !== "anyOf" && found.error.keyword !== "oneOf") return [found];
  const { schema } = found.error;
  const others = found.inner.filter((inner) => isOfOtherKind(inner, found));
  const meant = found.inner.filter((inner) => !isOfOtherKind(inner, found));
  const isOneMeant = Array.isArray(schema) && others.length === schema.length - 1 && meant.length > 0;
  return isOneMeant ? meant.flatMap(closest) : [found];
}

function isOfOtherKind({ error }: Found, whole: Found): boolean {
  return error.instancePath === whole.error.instancePath && ["type", "const", "enum"].includes(error.keyword);
}

function pathOf({ instancePath, keyword, params }: ErrorObject, value: unknown): Path {
  const path: (string | number)[] = [];
  let at: unknown = value;
  for (const part of instancePath.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    path.push(Array.isArray(at) ? Number(key) : key);
    at = typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined;
  }
  const field = FIELD_OF[keyword];
  return field === undefined ? path : [...path, String(params[field])];
}

/** Keywords that find fault with an object where one of its fields is meant, and the parameter that names it. */
const FIELD_OF: Record<string, string> = {
  required: "missingProperty",
  dependentRequired: "missingProperty",
  dependencies: "missingProperty",
  additionalProperties: "additionalProperty",
  unevaluatedProperties: "unevaluatedProperty",
  propertyNames: "propertyName",
};

function messageOf(found: Found): LocalizedText {
  const { keyword, params, message } = found.error;
  switch (keyword) {
    case "type":
    case "enum":
    case "const":
      return localized("must_be")`must be ${kindOf(found)}`;
    case "required":
      return localized("required")`is required`;
    case "dependentRequired":
    case "dependencies":
      return localized("required_with")`is required where ${params.property} is present`;
    case "additionalProperties":
    case "unevaluatedProperties":
      return localized("unknown_field")`is not a known field`;
    case "propertyNames":
      return localized("name_not_allowed")`is not an allowed name`;
    case "minimum":
      return localized("at_least")`must be at least ${params.limit}`;
    case "maximum":
      return localized("at_most")`must be at most ${params.limit}`;
    case "exclusiveMinimum":
      return localized("greater_than")`must be greater than ${params.limit}`;
    case "exclusiveMaximum":
      return localized("less_than")`must be less than ${params.limit}`;
    case "multipleOf":
      return localized("multiple_of")`must be a multiple of ${params.multipleOf}`;
    case "minLength":
      return localized("has_least")`must have at least ${characters(params.limit)}`;
    case "maxLength":
      return localized("has_most")`must have at most ${characters(params.limit)}`;
    case "minItems":
      return localized("has_least")`must have at least ${entries(params.limit)}`;
    case "maxItems":
    case "items":
    case "additionalItems":
    case "unevaluatedItems":
      return localized("has_most")`must have at most ${entries(params.limit ?? params.len)}`;
    case "minProperties":
      return localized("has_least")`must have at least ${fields(params.limit)}`;
    case "maxProperties":
      return localized("has_most")`must have at most ${fields(params.limit)}`;
    case "uniqueItems":
      return localized("duplicate_entries")`must not have duplicate entries; ${params.j} and ${params.i} are equal`;
    case "contains":
      return localized("has_least_of_kind")`must have at least ${entries(params.minContains)} of the required kind`;
    case "pattern":
      return localized("matches_pattern")`must match the pattern ${params.pattern}`;
    case "format":
      return localized("has_format")`must have the format ${params.format}`;
    case "anyOf":
    case "oneOf":
      return alternatives(found);
    case "not":
      return localized("matches_not")`matches a schema that is not allowed`;
    case "false schema":
      return localized("not_allowed")`is not allowed`;
    default:
      return message === undefined ? localized("not_valid")`is not valid` : { message };
  }
}

function alternatives(found: Found): LocalizedText {
  if (Array.isArray(found.error.params.passingSchemas))
    return localized("several_forms")`matches several of the allowed forms, but must match exactly one`;
  const kinds = found.inner.every((inner) => isOfOtherKind(inner, found));
  if (!kinds || found.inner.length === 0) return localized("no_form")`matches none of the allowed forms`;
  return localized("must_be")`must be ${either(found.inner.map(kindOf))}`;
}

/** What a value has to be, by `type`, `enum` or `const`. */
function kindOf({ error: { keyword, params } }: Found): LocalizedText {
  if (keyword === "const") return { message: printed(params.allowedValue) };
  if (keyword === "enum") return listed(Array.isArray(params.allowedValues) ? params.allowedValues : []);
  const types: unknown[] = Array.isArray(params.type) ? params.type : [params.type];
  return either(types.map((type) => TYPE_NAMES[String(type)] ?? { message: String(type) }));
}

/** Each alternative once, joined by "or". */
function either(texts: readonly LocalizedText[]): LocalizedText {
  const [first = { message: "" }, ...others] = new Map(texts.map((text) => [text.message, text])).values();
  return others.reduce((before, text) => localized("either")`${before} or ${text}`, first);
}

const TYPE_NAMES: Record<string, LocalizedText> = {
  string: localized("string")`a string`,
  number: localized("number")`a number`,
  integer: localized("integer")`a whole number`,
  boolean: localized("boolean")`true or false`,
  array: localized("array")`an array`,
  object: localized("object")`an object`,
  null: localized("null")`null`,
};

function listed(values: readonly unknown[]): LocalizedText {
  const [only] = values;
  if (values.length === 1) return { message: printed(only) };
  const shown = values.slice(0, MOST_VALUES).map(printed).join(", ");
  return values.length > MOST_VALUES
    ? localized("one_of_many")`one of ${shown}, … (${values.length} in all)`
    : localized("one_of")`one of ${shown}`;
}

function printed(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

function characters(count: number): LocalizedText {
  return count === 1 ? localized("one_character")`1 character` : localized("characters")`${count} characters`;
}

function entries(count: number): LocalizedText {
  return count === 1 ? localized("one_entry")`1 entry` : localized("entries")`${count} entries`;
}

function fields(count: number): LocalizedText {
  return count === 1 ? localized("one_field")`1 field` : localized("fields")`${count} fields`;
}
