import { LONGEST_TARGET, parsePath } from "../../plan/output-path.ts";
import { printReference } from "../../plan/reference.ts";
import { setKey } from "../../plan/state.ts";
import { isJsonObject, isSameJson, type Json, type JsonObject } from "../../session/json/json.ts";

/** A write to a state path. */
export interface StateWrite {
  path: string;
  value: Json;
}

/**
 * The writes from one state to another. Paths have object keys only, and nothing can be removed: arrays are written as
 * a whole, as are objects that lost a key; of the root a lost key becomes null. A state that is not an object is at
 * `value`.
 */
export function stateWrites(before: Json, after: Json): StateWrite[] {
  const from = asObject(before);
  const to = asObject(after);
  if (Object.keys(from).length === 0)
    return Object.keys(to).length === 0 ? [] : [{ path: printReference({ kind: "state", path: [] }), value: to }];
  const lost = Object.keys(from)
    .filter((key) => !Object.hasOwn(to, key) && from[key] !== null)
    .map((key) => ({ path: pathOf([key]), value: null }));
  return [...lost, ...changesBelow(from, to, [])];
}

/** The state after a write. */
export function withWrite(state: Json, { path, value }: StateWrite): Json {
  const target = parsePath(path);
  if (!target.ok) return state;
  return put(state, target.value.path, value);
}

function put(state: Json, path: readonly string[], value: Json): Json {
  const [key, ...rest] = path;
  const object = isJsonObject(state) ? { ...state } : {};
  if (key !== undefined) {
    setKey(object, key, rest.length === 0 ? value : put(ownKey(object, key) ?? {}, rest, value));
  } else if (isJsonObject(value)) {
    for (const [name, each] of Object.entries(value)) setKey(object, name, each);
  }
  return object;
}

function changesBelow(before: JsonObject, after: JsonObject, above: readonly string[]): StateWrite[] {
  return Object.keys(after).flatMap((key) => {
    const path = [...above, key];
    const from = ownKey(before, key);
    const to = ownKey(after, key) ?? null;
    if (from !== undefined && isSameJson(from, to)) return [];
    const isWhole =
      !isJsonObject(from) || !isJsonObject(to) || Object.keys(from).some((each) => !Object.hasOwn(to, each));
    if (isWhole) return [{ path: pathOf(path), value: to }];
    const below = changesBelow(from, to, path);
    return below.every((write) => write.path.length <= LONGEST_TARGET) ? below : [{ path: pathOf(path), value: to }];
  });
}

function pathOf(path: readonly string[]): string {
  return printReference({ kind: "state", path });
}

function ownKey(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function asObject(state: Json): JsonObject {
  if (isJsonObject(state)) return state;
  return state === null ? {} : { value: state };
}
