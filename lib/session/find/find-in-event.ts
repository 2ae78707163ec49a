import { isJsonObject, type Json } from "../json/json.ts";
import { excerptOf, type Part, patternOf } from "./find-words.ts";

/** What is searched in a session: messages, values of its state, or other events. */
export const FIND_WHERE = ["message", "state", "event"] as const;
export type FindWhere = (typeof FIND_WHERE)[number];

/** Their event types; all others are `event`. */
export const FIND_TYPES = {
  message: ["message.created"],
  state: ["state.written", "agent_state.written", "memory.updated"],
} as const satisfies Record<Exclude<FindWhere, "event">, readonly string[]>;

/** A step that matches. */
export interface Found {
  seq: number;
  type: string;
  where: FindWhere;
  /** The path of the matching value in the payload: `output.deal.title`. For a write, after the state's path. */
  path: string;
  run_id: string | null;
  call_id: string | null;
  excerpt: Part[];
}

/** The kind of a step. */
export function whereOf(type: string): FindWhere {
  if (FIND_TYPES.message.some((name) => name === type)) return "message";
  return FIND_TYPES.state.some((name) => name === type) ? "state" : "event";
}

/**
 * Searches an event's values and field names for all words, ignoring case. Returns the value with the most of them.
 * Null if a word is missing.
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

/** The path of a value: in the payload, or of a write in the state. */
export function placeOf({ type, payload }: { type: string; payload: Json }, path: string): string {
  if (type !== "state.written" || !isJsonObject(payload) || typeof payload.path !== "string") return path;
  return path === "value" || path.startsWith("value.") ? payload.path + path.slice("value".length) : payload.path;
}

/** All strings of a value with their paths, and its field names. Depth is bounded on ingest. */
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
