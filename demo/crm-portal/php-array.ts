import type { Json, JsonObject } from "../../lib/session/json/json.ts";
import { isJsonObject } from "../../lib/session/json/json.ts";

/** The nesting limit of brackets, as in PHP; deeper values are dropped. */
const MAX_NESTING = 64;

/**
 * Parses `fields[TITLE]=A&select[]=ID` as PHP does: brackets nest, empty ones append, and an array with keys 0, 1, 2, …
 * is a list. All values are strings.
 */
export function readForm(text: string): JsonObject {
  const root = new Branch();
  for (const [name, value] of new URLSearchParams(text)) {
    const path = pathOf(name);
    if (path.length <= MAX_NESTING) root.write(path, value);
  }
  return Object.fromEntries(root.entries());
}

/** A PHP array as PHP encodes it in JSON: an empty one is `[]`, keys 0, 1, 2, … a list, anything else an object. */
export function phpArray(entries: Iterable<[string, Json]>): Json {
  const pairs = [...entries];
  const isList = pairs.every(([key], index) => key === String(index));
  return isList ? pairs.map(([, value]) => value) : Object.fromEntries(pairs);
}

/** A PHP array from JSON, a list with its indexes as keys; null for anything else. */
export function asArray(value: Json | undefined): JsonObject | null {
  if (Array.isArray(value)) return Object.fromEntries(value.map((item, index) => [String(index), item]));
  return isJsonObject(value) ? value : null;
}

/** `fields[PHONE][][VALUE]` → `fields`, `PHONE`, ``, `VALUE`. */
function pathOf(name: string): string[] {
  const open = name.indexOf("[");
  if (open < 1) return [name];
  const keys = [...name.slice(open).matchAll(/\[([^\]]*)\]/g)].map(([, key = ""]) => key);
  return [name.slice(0, open), ...keys];
}

class Branch {
  readonly #values = new Map<string, string | Branch>();
  #next = 0;

  write([key = "", ...rest]: string[], value: string): void {
    const name = key === "" ? String(this.#next) : key;
    if (/^(0|[1-9]\d{0,8})$/.test(name)) this.#next = Math.max(this.#next, Number(name) + 1);
    if (rest.length === 0) {
      this.#values.set(name, value);
      return;
    }
    const there = this.#values.get(name);
    const branch = there instanceof Branch ? there : new Branch();
    this.#values.set(name, branch);
    branch.write(rest, value);
  }

  *entries(): Generator<[string, Json]> {
    for (const [key, value] of this.#values) {
      yield [key, value instanceof Branch ? phpArray(value.entries()) : value];
    }
  }
}
