import { isJsonObject, type Json, type JsonObject } from "../session/json.ts";
import { withoutCardNumber } from "./cards.ts";
import { withoutEncoded } from "./encoded.ts";
import { isPasswordName, isSecretName, looksSecret } from "./names.ts";
import { REDACTORS, type RedactionRule } from "./rules.ts";
import { KEY } from "./secrets.ts";

/** A text without what the rules find in it, in base64 too. The same text where they find nothing. */
export function redact(text: string, rules: readonly RedactionRule[]): string {
  if (rules.length === 0) return text;
  const plainly = (plain: string) => rules.reduce((left, rule) => REDACTORS[rule](left), plain);
  return withoutEncoded(plainly(text), plainly);
}

/**
 * A value without what the rules find in its texts, and cards that are numbers; keys stay. With `keys`, what stands under a name
 * such as `password` goes as a whole, in lists, in `{"name": …, "value": …}` and in lists of a name and its value, too.
 * The same value where nothing is found.
 */
export function redactJson(value: Json, rules: readonly RedactionRule[]): Json {
  if (rules.length === 0) return value;
  if (typeof value === "string") return redact(value, rules);
  if (typeof value === "number") return rules.includes("cards") ? withoutCardNumber(value) : value;
  if (Array.isArray(value)) return redactList(value, rules);
  return isJsonObject(value) ? redactObject(value, rules) : value;
}

function redactList(list: readonly Json[], rules: readonly RedactionRule[]): Json {
  // Names and values in turn, as the raw headers of a request are.
  const isNamed = (at: number) => {
    const [name, value] = [list[at - 1], list[at]];
    return at % 2 === 1 && typeof name === "string" && typeof value === "string" && isSecretPair(name, value, rules);
  };
  const left = list.map((one, at) => (isNamed(at) ? KEY : redactJson(one, rules)));
  return left.some((one, at) => one !== list[at]) ? left : (list as Json[]);
}

const NAME_FIELDS = ["name", "key", "header", "field", "k"];
const VALUE_FIELDS = ["value", "val", "content", "v"];

function redactObject(object: JsonObject, rules: readonly RedactionRule[]): JsonObject {
  const name = NAME_FIELDS.map((field) => object[field]).find((value) => typeof value === "string");
  let left = object;
  for (const [field, value] of Object.entries(object)) {
    const isPaired =
      typeof name === "string" &&
      typeof value === "string" &&
      VALUE_FIELDS.includes(field) &&
      isSecretPair(name, value, rules);
    const redacted = isPaired ? KEY : redactField(field, value, rules);
    if (redacted === value) continue;
    if (left === object) left = { ...object };
    left[field] = redacted;
  }
  return left;
}

/** Names beside each other, as in the required fields of a schema, are no name and its value. */
function isSecretPair(name: string, value: string, rules: readonly RedactionRule[]): boolean {
  return rules.includes("keys") && looksSecret(value) && isSecretName(name);
}

function redactField(name: string, value: Json, rules: readonly RedactionRule[]): Json {
  if (!rules.includes("keys") || !isSecretName(name)) return redactJson(value, rules);
  if (typeof value === "number") return isPasswordName(name) ? KEY : redactJson(value, rules);
  return withoutSecret(value, rules);
}

/** What stands under the name of a secret: texts go, and so does what looks like one in an object, which may be a schema. */
function withoutSecret(value: Json, rules: readonly RedactionRule[]): Json {
  if (typeof value === "string") return value === "" ? value : KEY;
  if (Array.isArray(value)) {
    const left = value.map((one) => withoutSecret(one, rules));
    return left.some((one, at) => one !== value[at]) ? left : value;
  }
  if (!isJsonObject(value)) return redactJson(value, rules);
  let left = value;
  for (const [name, field] of Object.entries(value)) {
    const redacted = typeof field === "string" && looksSecret(field) ? KEY : redactField(name, field, rules);
    if (redacted === field) continue;
    if (left === value) left = { ...value };
    left[name] = redacted;
  }
  return left;
}
