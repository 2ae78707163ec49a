import { setKey } from "../plan/state.ts";
import type { Json } from "../session/json/json.ts";

/** A value that JSON cannot hold: a function, a date, a number that is none. */
export class NotJson extends Error {}

/**
 * A copy of what an activity gave, as plain JSON: from here on nobody else can change it (P8). Undefined is null, and
 * an object's undefined keys are left out, as JSON.stringify does. Throws `NotJson` for anything that JSON cannot hold.
 */
export function toJson(value: unknown): Json {
  if (value === undefined || value === null) return null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new NotJson(`${value} is not a JSON number`);
    return value;
  }
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value === "object" && isPlain(value)) {
    const copy: Record<string, Json> = {};
    for (const [key, entry] of Object.entries(value)) if (entry !== undefined) setKey(copy, key, toJson(entry));
    return copy;
  }
  throw new NotJson(`a ${typeof value === "object" ? value.constructor.name : typeof value} is not a JSON value`);
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}
