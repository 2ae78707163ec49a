import type { Reference } from "./reference.ts";

/** Whether two references touch the same value: one is the other, or an ancestor of it (P15). */
export function overlaps(a: Reference, b: Reference): boolean {
  if (a.kind !== b.kind) return false;
  const shared = Math.min(a.path.length, b.path.length);
  for (let index = 0; index < shared; index++) {
    // `.0` and `["0"]` name the same key of an object.
    if (String(a.path[index]) !== String(b.path[index])) return false;
  }
  return true;
}
