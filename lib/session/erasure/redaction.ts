import { DEFINITIONS } from "../events/definitions.ts";
import type { FieldRule } from "../events/families/family.ts";
import { isEventType } from "../events/kinds.ts";
import { isJsonObject, type Json } from "../json/json.ts";

/**
 * A payload with redacted content; its structure, references (E2), and the paths in changes of memory stay. The same
 * object if nothing was changed.
 */
export function redactPayload(type: string, payload: Json, redact: (value: Json) => Json): Json {
  return isEventType(type) ? contentOf(payload, DEFINITIONS[type].structure, redact) : redact(payload);
}

type Rules = { readonly [name: string]: FieldRule | undefined };

function contentOf(value: Json, rules: Rules, redact: (value: Json) => Json): Json {
  if (!isJsonObject(value)) return redact(value);
  let left = value;
  for (const [name, field] of Object.entries(value)) {
    const redacted = fieldOf(field, rules[name], name, redact);
    if (redacted === field) continue;
    if (left === value) left = { ...value };
    left[name] = redacted;
  }
  return left;
}

function fieldOf(field: Json, rule: FieldRule | undefined, name: string, redact: (value: Json) => Json): Json {
  // With its key, so that a value named as a password is replaced.
  if (rule === undefined || (typeof rule === "object" && "put" in rule))
    return name === "path" ? field : named(name, field, redact);
  if (typeof rule !== "object") return rule === "failure" ? redact(field) : field;
  if ("of" in rule) return contentOf(field, rule.of, redact);
  if (!Array.isArray(field)) return field;
  const left = field.map((one) => contentOf(one, rule.each, redact));
  return left.some((one, index) => one !== field[index]) ? left : field;
}

function named(name: string, field: Json, redact: (value: Json) => Json): Json {
  if (name === "delta" && Array.isArray(field)) {
    const left = field.map((one) => {
      if (!isJsonObject(one) || one.value === undefined) return one;
      const value = redact(one.value);
      return value === one.value ? one : { ...one, value };
    });
    return left.some((one, index) => one !== field[index]) ? left : field;
  }
  const before = { [name]: field };
  const whole = redact(before);
  return isJsonObject(whole) && whole !== before ? (whole[name] ?? field) : field;
}
