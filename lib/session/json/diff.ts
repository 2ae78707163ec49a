import { isJsonObject, type Json } from "./json.ts";

/** One difference between two values: where, and what stood there before and after. */
export interface Change {
  /** Keys and positions from the root of what was compared. */
  path: (string | number)[];
  kind: "add" | "change" | "remove";
  before: Json | undefined;
  after: Json | undefined;
}

/**
 * What it takes to get from one value to another, in the order of the keys. Objects and arrays are gone into as far
 * as both sides have them; values that are the same object are known to be equal without looking.
 */
export function diffValues(before: Json | undefined, after: Json | undefined): Change[] {
  const changes: Change[] = [];
  collect([], before, after, changes);
  return changes;
}

function collect(
  path: (string | number)[],
  before: Json | undefined,
  after: Json | undefined,
  changes: Change[],
): void {
  if (before === after) return;
  if (before === undefined) changes.push({ path, kind: "add", before, after });
  else if (after === undefined) changes.push({ path, kind: "remove", before, after });
  else if (isJsonObject(before) && isJsonObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      collect([...path, key], own(before, key), own(after, key), changes);
  } else if (Array.isArray(before) && Array.isArray(after)) {
    for (let i = 0; i < Math.max(before.length, after.length); i += 1)
      collect([...path, i], before[i], after[i], changes);
  } else changes.push({ path, kind: "change", before, after });
}

function own(object: { [key: string]: Json }, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
