import type { AGUIEventOf, EventType } from "@ag-ui/core";
import { setKey } from "../../plan/state.ts";
import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";

type Patch = AGUIEventOf<EventType.STATE_DELTA>["delta"];

/** The JSON Patch of a write: missing parent objects are created, as the write does. */
export function patchOf(state: JsonObject, path: readonly string[], value: Json): Patch {
  if (path.length === 0)
    return Object.entries(isJsonObject(value) ? value : {}).map(([key, each]) => ({
      op: "add",
      path: pointer([key]),
      value: each,
    }));
  let depth = 0;
  let above: Json | undefined = state;
  while (depth < path.length - 1) {
    const next: Json | undefined = isJsonObject(above) ? own(above, path[depth] ?? "") : undefined;
    if (!isJsonObject(next)) break;
    above = next;
    depth += 1;
  }
  const rest = path.slice(depth + 1);
  const whole = rest.reduceRight<Json>((inner, key) => withKey({}, key, inner), value);
  return [{ op: "add", path: pointer(path.slice(0, depth + 1)), value: whole }];
}

/** The state after a write. */
export function withValue(state: JsonObject, path: readonly string[], value: Json): JsonObject {
  const [key, ...rest] = path;
  // One copy for all keys: a copy for each blocked the server for minutes, and setting them one by one for 40 ms.
  if (key === undefined) return isJsonObject(value) ? { ...state, ...value } : state;
  const below = own(state, key);
  return withKey(state, key, rest.length === 0 ? value : withValue(isJsonObject(below) ? below : {}, rest, value));
}

function withKey(object: JsonObject, key: string, value: Json): JsonObject {
  const copy = { ...object };
  setKey(copy, key, value);
  return copy;
}

function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function pointer(path: readonly string[]): string {
  return path.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
