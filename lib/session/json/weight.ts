import { isJsonObject, type Json } from "./json.ts";

/** The approximate size of a JSON value in characters, and its nesting. */
export interface Weight {
  size: number;
  /** 0 for empty and primitive values. */
  depth: number;
}

/** A cache for immutable values, so that of a new version only new parts are measured. */
const known = new WeakMap<object, Weight>();

/** The weight of a value. `changing`: objects that may still be mutated, with all their parents. */
export function weightOf(value: Json, changing?: ReadonlySet<object>): Weight {
  if (typeof value !== "object" || value === null) return { size: sizeOfPlain(value), depth: 0 };
  const before = known.get(value);
  if (before && !changing?.has(value)) return before;
  const weight: Weight = { size: 2, depth: 0 };
  const add = (child: Json, key: number) => {
    if (typeof child === "object" && child !== null) {
      const { size, depth } = weightOf(child, changing);
      weight.size += size + key;
      weight.depth = Math.max(weight.depth, depth + 1);
    } else {
      // No object per entry: a list may have very many.
      weight.size += sizeOfPlain(child) + key;
      weight.depth ||= 1;
    }
  };
  if (isJsonObject(value)) for (const key of Object.keys(value)) add(value[key] ?? null, key.length + 4);
  else for (const child of value) add(child, 1);
  if (!changing?.has(value)) known.set(value, weight);
  return weight;
}

function sizeOfPlain(value: Exclude<Json, object>): number {
  return typeof value === "string" ? value.length + 2 : 6;
}
