import { isJsonObject, type Json } from "./json.ts";

/** A difference between two values: its path, and the values before and after. */
export interface Change {
  /** Keys and indexes from the root. */
  path: (string | number)[];
  kind: "add" | "change" | "remove";
  before: Json | undefined;
  after: Json | undefined;
}

/**
 * The differences of two values, in the order of keys. Objects and arrays are compared recursively; identical objects
 * are skipped.
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
