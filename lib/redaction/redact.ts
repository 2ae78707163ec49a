import { isJsonObject, type Json, type JsonObject } from "../session/json.ts";
import { MARKS, REDACTORS, type RedactionRule } from "./rules.ts";

/** Names under which a secret stands whatever it looks like. */
const SECRET_NAME =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie|pass(?:word|wd|phrase)|pwd|secret|(?:client|webhook)[_-]?secret|(?:x-)?api[_-]?key|(?:access|refresh|auth|bot|id)?[_-]?token|private[_-]?key|x-telegram-bot-api-secret-token)$/i;

/** A text without what the rules find in it. The same text where they find nothing. */
export function redact(text: string, rules: readonly RedactionRule[]): string {
  return rules.reduce((left, rule) => REDACTORS[rule](left), text);
}

/**
 * A value without what the rules find in its texts; keys stay. With `keys`, texts under names such as `password` go as a whole.
 * The same value where nothing is found.
 */
export function redactJson(value: Json, rules: readonly RedactionRule[]): Json {
  if (rules.length === 0) return value;
  if (typeof value === "string") return redact(value, rules);
  if (Array.isArray(value)) {
    const left = value.map((one) => redactJson(one, rules));
    return left.some((one, index) => one !== value[index]) ? left : value;
  }
  return isJsonObject(value) ? redactObject(value, rules) : value;
}

function redactObject(value: JsonObject, rules: readonly RedactionRule[]): JsonObject {
  let left = value;
  for (const [name, field] of Object.entries(value)) {
    const isSecret = rules.includes("keys") && typeof field === "string" && field !== "" && SECRET_NAME.test(name);
    const redacted = isSecret ? MARKS.keys : redactJson(field, rules);
    if (redacted === field) continue;
    if (left === value) left = { ...value };
    left[name] = redacted;
  }
  return left;
}
