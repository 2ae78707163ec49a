import { isSameJson, type JsonObject } from "../session/json/json.ts";

/** What became of the calls of a plan in the next iteration's plan, by their ids (C4). */
export interface PlanChanges {
  added: string[];
  /** With the properties that differ. */
  changed: Map<string, string[]>;
  removed: string[];
}

/** Words about a call change nothing of what it does. */
const WORDS: ReadonlySet<string> = new Set(["_reasoningForCall"]);

/** Compares two iterations' plans. A call without an id cannot be told apart and is left out. */
export function planChanges(before: readonly JsonObject[], after: readonly JsonObject[]): PlanChanges {
  const earlier = byId(before);
  const later = byId(after);
  const changed = new Map<string, string[]>();
  for (const [id, call] of later) {
    const known = earlier.get(id);
    const fields = known ? fieldsThatDiffer(known, call) : [];
    if (fields.length > 0) changed.set(id, fields);
  }
  return {
    added: [...later.keys()].filter((id) => !earlier.has(id)),
    changed,
    removed: [...earlier.keys()].filter((id) => !later.has(id)),
  };
}

/** The first call of each id: a plan that repeats one is told so elsewhere (P16). */
function byId(calls: readonly JsonObject[]): Map<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  for (const call of calls) if (typeof call._id === "string" && !found.has(call._id)) found.set(call._id, call);
  return found;
}

function fieldsThatDiffer(one: JsonObject, other: JsonObject): string[] {
  const fields = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...fields].filter((field) => !WORDS.has(field) && !isSameJson(one[field], other[field]));
}
