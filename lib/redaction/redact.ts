import { isJsonObject, type Json, type JsonObject } from "../session/json/json.ts";
import { withoutCardNumber } from "./cards.ts";
import { withoutEncoded } from "./encoded.ts";
import { isPin, isSecretPair, looksMadeUp, looksSecret, type Secrecy, secrecyOf } from "./names.ts";
import { REDACTORS, type RedactionRule, withoutPhoneNumber } from "./rules.ts";
import { KEY } from "./secrets.ts";

/** Redacts a text with rules, also within base64. Returns the same string if nothing is found. */
export function redact(text: string, rules: readonly RedactionRule[]): string {
  if (rules.length === 0) return text;
  const plainly = (plain: string) => rules.reduce((left, rule) => REDACTORS[rule](left), plain);
  return withoutEncoded(plainly(text), plainly);
}

/** How thoroughly a value is redacted. */
export interface Thoroughness {
  /** Also names of fields: data may be keyed by an address or a number. Of several that become alike, later ones get a number. */
  names: boolean;
}

/**
 * Redacts the strings of a value, and numbers that are card or phone numbers; names of fields only if asked. With `keys`,
 * values under names such as `password` are replaced entirely, also in lists, in `{"name": …, "value": …}` and in lists of
 * names and values. Returns the same value if nothing is found, unless names are asked for.
 */
export function redactJson(
  value: Json,
  rules: readonly RedactionRule[],
  { names }: Thoroughness = { names: false },
): Json {
  const left = redactValue(value, rules);
  return names && rules.length > 0 ? redactNames(left, rules) : left;
}

/** With the names of fields redacted, at any depth. */
function redactNames(value: Json, rules: readonly RedactionRule[]): Json {
  if (Array.isArray(value)) return value.map((one) => redactNames(one, rules));
  if (!isJsonObject(value)) return value;
  const left = new Map<string, Json>();
  for (const [name, field] of Object.entries(value)) {
    const redacted = redact(name, rules);
    let free = redacted;
    for (let number = 2; left.has(free); number += 1) free = `${redacted} ${number}`;
    left.set(free, redactNames(field, rules));
  }
  return Object.fromEntries(left);
}

function redactNumber(value: number, rules: readonly RedactionRule[]): number | string {
  const left = rules.includes("cards") ? withoutCardNumber(value) : value;
  return typeof left === "number" && rules.includes("phones") ? withoutPhoneNumber(left) : left;
}

function redactValue(value: Json, rules: readonly RedactionRule[]): Json {
  if (rules.length === 0) return value;
  if (typeof value === "string") return redact(value, rules);
  if (typeof value === "number") return redactNumber(value, rules);
  if (Array.isArray(value)) return redactList(value, rules);
  return isJsonObject(value) ? redactObject(value, rules) : value;
}

function redactList(list: readonly Json[], rules: readonly RedactionRule[]): Json {
  // Alternating names and values, as in a request's raw headers.
  const isNamed = (at: number) => {
    const [name, value] = [list[at - 1], list[at]];
    return (
      at % 2 === 1 &&
      typeof name === "string" &&
      typeof value === "string" &&
      rules.includes("keys") &&
      looksSecret(value) &&
      isSecretPair(name, value)
    );
  };
  const left = list.map((one, at) => (isNamed(at) ? KEY : redactValue(one, rules)));
  return left.some((one, at) => one !== list[at]) ? left : (list as Json[]);
}

const inBoth = (fields: readonly string[]) =>
  fields.flatMap((field) => [field, field.charAt(0).toUpperCase() + field.slice(1)]);
const NAME_FIELDS = inBoth(["name", "key", "header", "field", "k"]);
const VALUE_FIELDS = new Set(inBoth(["value", "val", "v"]));

function redactObject(object: JsonObject, rules: readonly RedactionRule[]): JsonObject {
  const name = rules.includes("keys")
    ? NAME_FIELDS.map((field) => object[field]).find((value) => typeof value === "string")
    : undefined;
  let left = object;
  for (const [field, value] of Object.entries(object)) {
    const redacted = typeof name === "string" && isNamed(name, field, value) ? KEY : redactField(field, value, rules);
    if (redacted === value) continue;
    if (left === object) left = { ...object };
    left[field] = redacted;
  }
  return left;
}

/** Whether a field has the value for a name in another field. Content may be text about it. */
function isNamed(name: string, field: string, value: Json): boolean {
  if (typeof value !== "string" && typeof value !== "number") return false;
  if (field === "content") return typeof value === "string" && looksSecret(value) && isSecretPair(name, value);
  if (!VALUE_FIELDS.has(field)) return false;
  return isSecretPair(name, String(value)) && (typeof value === "string" || secrecyOf(name) !== "secret");
}

function redactField(name: string, value: Json, rules: readonly RedactionRule[]): Json {
  const secrecy = rules.includes("keys") ? secrecyOf(name) : null;
  return secrecy === null ? redactValue(value, rules) : withoutSecret(value, secrecy, rules);
}

/** The value under a secret's name. In an object, which may be a schema, only strings that look like secrets. */
function withoutSecret(value: Json, secrecy: Secrecy, rules: readonly RedactionRule[], isWithin = false): Json {
  if (typeof value === "string" || typeof value === "number")
    return isSecret(value, secrecy, isWithin) ? KEY : redactValue(value, rules);
  if (Array.isArray(value)) {
    const left = value.map((one) => withoutSecret(one, secrecy, rules, isWithin));
    return left.some((one, at) => one !== value[at]) ? left : value;
  }
  if (!isJsonObject(value)) return value;
  let left = value;
  for (const [name, field] of Object.entries(value)) {
    const redacted = withoutSecret(field, secrecyOf(name) ?? secrecy, rules, secrecyOf(name) === null);
    if (redacted === field) continue;
    if (left === value) left = { ...value };
    left[name] = redacted;
  }
  return left;
}

function isSecret(value: string | number, secrecy: Secrecy, isWithin: boolean): boolean {
  switch (secrecy) {
    case "pin":
      return isPin(value);
    case "secrets":
      return typeof value === "string" && looksMadeUp(value);
    case "password":
    case "secret":
      // A smaller number is a count.
      if (typeof value === "number") return secrecy === "password" && !isWithin && value > 99;
      return isWithin ? looksSecret(value) : value !== "";
    default:
      return secrecy satisfies never;
  }
}
