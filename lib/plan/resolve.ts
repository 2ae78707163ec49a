import { isJsonObject, type Json, type JsonObject } from "../session/json/json.ts";
import { type Expression, parseText, printExpression, type Reference } from "./reference.ts";
import { setKey } from "./state.ts";

/** Reads the value that a reference names; undefined when it is not present (P4). */
export type ReadValue = (reference: Reference) => Json | undefined;

/**
 * The value of the first alternative that is present (P5); of a gate it is the last member's, once all are present
 * (P6). Undefined when no alternative is present. The value is the source's own: copy it before it is handed on.
 */
export function chooseValue(expression: Expression, read: ReadValue): Json | undefined {
  for (const gate of expression) {
    const value = valueOfGate(gate, read);
    if (value !== undefined) return value;
  }
  return undefined;
}

/**
 * Puts values in the place of references, in nested objects and arrays too (P3), and `†` in the place of a leading
 * `††`. One pass: a `†` in a value that was read is data. The result is a copy that shares nothing with the source
 * (P8). An expression that cannot be read or is not present is a broken invariant: it throws.
 */
export function resolveValue(value: Json, read: ReadValue): Json {
  if (typeof value === "string") return resolveText(value, read);
  return mapChildren(value, (child) => resolveValue(child, read));
}

/** Writes a value so that resolving it gives the same value back: a text's leading `†` is doubled (P3). */
export function escapeValue(value: Json): Json {
  if (typeof value === "string") return value.startsWith("†") ? `†${value}` : value;
  return mapChildren(value, escapeValue);
}

function valueOfGate(gate: readonly Reference[], read: ReadValue): Json | undefined {
  let value: Json | undefined;
  for (const reference of gate) {
    value = read(reference);
    if (value === undefined) return undefined;
  }
  return value;
}

function resolveText(text: string, read: ReadValue): Json {
  const parsed = parseText(text);
  if (!parsed.ok) throw new Error(`${text} was not checked before it was resolved: ${parsed.error.message}`);
  if (parsed.value.kind === "literal") return parsed.value.text;
  const value = chooseValue(parsed.value.expression, read);
  if (value === undefined) throw new Error(`${printExpression(parsed.value.expression)} is not present`);
  return copyJson(value);
}

/** A copy that shares nothing with the value. */
export function copyJson(value: JsonObject): JsonObject;
export function copyJson(value: Json): Json;
export function copyJson(value: Json): Json {
  return mapChildren(value, (child) => copyJson(child));
}

function mapChildren(value: Json, change: (child: Json) => Json): Json {
  if (Array.isArray(value)) return value.map(change);
  if (!isJsonObject(value)) return value;
  const mapped: JsonObject = {};
  for (const [key, child] of Object.entries(value)) setKey(mapped, key, change(child));
  return mapped;
}
