import { isJsonObject, type Json } from "../json/json.ts";
import { excerptOf, type Part, patternOf } from "./find-words.ts";

/** Where in a session something can be found: what was said, the values of its state, or the rest of its log. */
export const FIND_WHERE = ["message", "state", "event"] as const;
export type FindWhere = (typeof FIND_WHERE)[number];

/** The types of events that each of them is; all others are of `event`. */
export const FIND_TYPES = {
  message: ["message.created"],
  state: ["state.written", "agent_state.written", "memory.updated"],
} as const satisfies Record<Exclude<FindWhere, "event">, readonly string[]>;

/** A step in which words were found. */
export interface Found {
  seq: number;
  type: string;
  where: FindWhere;
  /** The value of the event's payload in which they stand: `output.deal.title`. Of a write, the state's path before it. */
  path: string;
  run_id: string | null;
  call_id: string | null;
  excerpt: Part[];
}

/** What a step says where it is of. */
export function whereOf(type: string): FindWhere {
  if (FIND_TYPES.message.some((name) => name === type)) return "message";
  return FIND_TYPES.state.some((name) => name === type) ? "state" : "event";
}

/**
 * Finds all of the words among an event's values, in any case: those of its payload, and the names of its fields. Gives the
 * value that has the most of them. Null where one of them is in none.
 */
export function findInEvent(
  event: { type: string; payload: Json },
  words: readonly string[],
): Pick<Found, "where" | "path" | "excerpt"> | null {
  const whole = patternOf(words);
  const each = words.flatMap((word) => patternOf([word]) ?? []);
  if (whole === null) return null;
  const missing = new Set(each);
  let best: { path: string; text: string; count: number } | null = null;
  for (const { path, text } of textsOf(event.payload)) {
    const has = each.filter((pattern) => text.search(pattern) !== -1);
    for (const pattern of has) missing.delete(pattern);
    if (has.length > (best?.count ?? 0)) best = { path, text, count: has.length };
  }
  if (best === null || missing.size > 0) return null;
  const where = whereOf(event.type);
  return { where, path: placeOf(event, best.path), excerpt: excerptOf(best.text, whole) };
}

/** Where a value of an event stands: in its payload, and a write's in the state. */
export function placeOf({ type, payload }: { type: string; payload: Json }, path: string): string {
  if (type !== "state.written" || !isJsonObject(payload) || typeof payload.path !== "string") return path;
  return path === "value" || path.startsWith("value.") ? payload.path + path.slice("value".length) : payload.path;
}

/** All texts of a value with their paths, names of fields as texts of their own. Depth is bounded where events come in. */
function* textsOf(value: Json, path = ""): Generator<{ path: string; text: string }> {
  if (typeof value === "string") yield { path, text: value };
  else if (typeof value === "number" || typeof value === "boolean") yield { path, text: String(value) };
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* textsOf(item, below(path, String(index)));
  } else if (value !== null) {
    for (const [name, item] of Object.entries(value)) {
      const inner = below(path, name);
      yield* textsOf(item, inner);
      yield { path: inner, text: name };
    }
  }
}

const below = (path: string, name: string) => (path === "" ? name : `${path}.${name}`);
