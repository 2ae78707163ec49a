import { isJsonObject, type Json, type JsonObject } from "../session/json/json.ts";
import type { Draft } from "./schedule/draft.ts";

/** What came of writing a value: the new root, or why it could not be. */
export type Written = { ok: true; root: Json } | { ok: false; reason: "below_scalar" | "not_an_object" };

/**
 * Writes a value below `root`, making the objects on the way (P9). `†state` alone writes an object's top-level keys.
 * Keys such as `__proto__` are ordinary keys. What the draft does not own is copied, never changed.
 */
export function writeValue(
  draft: Draft<object>,
  root: Json | undefined,
  path: readonly string[],
  value: Json,
): Written {
  if (path.length === 0) return writeRoot(draft, root, value);
  if (root !== undefined && !isJsonObject(root)) return { ok: false, reason: "below_scalar" };
  if (!canDescend(root, path)) return { ok: false, reason: "below_scalar" };
  const top = ownObject(draft, root);
  let parent = top;
  for (const segment of path.slice(0, -1)) {
    const child = ownObject(draft, ownKey(parent, segment));
    setKey(parent, segment, child);
    parent = child;
  }
  setKey(parent, path.at(-1) ?? "", value);
  return { ok: true, root: top };
}

function writeRoot(draft: Draft<object>, root: Json | undefined, value: Json): Written {
  if (!isJsonObject(value)) return { ok: false, reason: "not_an_object" };
  if (root !== undefined && !isJsonObject(root)) return { ok: false, reason: "below_scalar" };
  const top = ownObject(draft, root);
  for (const [key, entry] of Object.entries(value)) setKey(top, key, entry);
  return { ok: true, root: top };
}

function canDescend(root: JsonObject | undefined, path: readonly string[]): boolean {
  let value: Json | undefined = root;
  for (const segment of path.slice(0, -1)) {
    if (value === undefined) return true;
    if (!isJsonObject(value)) return false;
    value = ownKey(value, segment);
  }
  return value === undefined || isJsonObject(value);
}

function ownObject(draft: Draft<object>, value: Json | undefined): JsonObject {
  return isJsonObject(value) ? draft.own(value) : draft.adopt({});
}

function ownKey(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets a key of an object. Assigning to `__proto__` would call its setter; defining makes a plain key of it. */
export function setKey(object: Record<string, Json>, key: string, value: Json): void {
  if (key === "__proto__")
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}
