import type { ErrorObject } from "ajv";
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
    if (!faults.has(place)) faults.set(place, { path, message: messageOf(found) });
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

function messageOf(found: Found): string {
  const { keyword, params, message } = found.error;
  switch (keyword) {
    case "type":
    case "enum":
    case "const":
      return `must be ${kindOf(found)}`;
    case "required":
      return "is required";
    case "dependentRequired":
    case "dependencies":
      return `is required where ${params.property} is present`;
    case "additionalProperties":
    case "unevaluatedProperties":
      return "is not a known field";
    case "propertyNames":
      return "is not an allowed name";
    case "minimum":
      return `must be at least ${params.limit}`;
    case "maximum":
      return `must be at most ${params.limit}`;
    case "exclusiveMinimum":
      return `must be greater than ${params.limit}`;
    case "exclusiveMaximum":
      return `must be less than ${params.limit}`;
    case "multipleOf":
      return `must be a multiple of ${params.multipleOf}`;
    case "minLength":
      return `must have at least ${counted(params.limit, "character", "characters")}`;
    case "maxLength":
      return `must have at most ${counted(params.limit, "character", "characters")}`;
    case "minItems":
      return `must have at least ${counted(params.limit, "entry", "entries")}`;
    case "maxItems":
    case "items":
    case "additionalItems":
    case "unevaluatedItems":
      return `must have at most ${counted(params.limit ?? params.len, "entry", "entries")}`;
    case "minProperties":
      return `must have at least ${counted(params.limit, "field", "fields")}`;
    case "maxProperties":
      return `must have at most ${counted(params.limit, "field", "fields")}`;
    case "uniqueItems":
      return `must not have duplicate entries; ${params.j} and ${params.i} are equal`;
    case "contains":
      return `must have at least ${counted(params.minContains, "entry", "entries")} of the required kind`;
    case "pattern":
      return `must match the pattern ${params.pattern}`;
    case "format":
      return `must have the format ${params.format}`;
    case "anyOf":
    case "oneOf":
      return alternatives(found);
    case "not":
      return "matches a schema that is not allowed";
    case "false schema":
      return "is not allowed";
    default:
      return message ?? "is not valid";
  }
}

function alternatives(found: Found): string {
  if (Array.isArray(found.error.params.passingSchemas))
    return "matches several of the allowed forms, but must match exactly one";
  const kinds = found.inner.every((inner) => isOfOtherKind(inner, found));
  if (!kinds || found.inner.length === 0) return "matches none of the allowed forms";
  return `must be ${[...new Set(found.inner.map(kindOf))].join(" or ")}`;
}

/** What a value has to be, by `type`, `enum` or `const`. */
function kindOf({ error: { keyword, params } }: Found): string {
  if (keyword === "const") return printed(params.allowedValue);
  if (keyword === "enum") return listed(Array.isArray(params.allowedValues) ? params.allowedValues : []);
  const types: unknown[] = Array.isArray(params.type) ? params.type : [params.type];
  return types.map((type) => TYPE_NAMES[String(type)] ?? String(type)).join(" or ");
}

const TYPE_NAMES: Record<string, string> = {
  string: "a string",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  null: "null",
};

function listed(values: readonly unknown[]): string {
  const [only] = values;
  if (values.length === 1) return printed(only);
  const more = values.length > MOST_VALUES ? `, … (${values.length} in all)` : "";
  return `one of ${values.slice(0, MOST_VALUES).map(printed).join(", ")}${more}`;
}

function printed(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

function counted(count: unknown, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
