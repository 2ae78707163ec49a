import { isKnown, type SessionEvent } from "../event.ts";
import type { EventType } from "../events/kinds.ts";
import type { Json } from "../json/json.ts";
import type { ValueFrequencies } from "./inferred-edges.ts";
import { formsOf } from "./value-forms.ts";
import { leavesOf } from "./value-leaves.ts";

/** The event types that a sample is made of. */
export const SAMPLE_TYPES: readonly EventType[] = ["message.created", "call.started", "call.succeeded"];

/** Fewer sessions tell nothing. */
const FEWEST_SESSIONS = 8;
/** In one other session, a value may stand because it is about the same customer. */
const FEWEST_WITH_VALUE = 2;
/** Longer values are not common. */
const LONGEST_COMMON = 40;
const MOST_LEAVES = 200;

/**
 * Counts in how many of a sample of sessions each value of a call stands. Sessions that begin with the same message count
 * as one: the same test, run again, does not make its values common.
 */
export class SampledFrequencies implements ValueFrequencies {
  private readonly sessions = new Map<string, number>();
  private readonly openings: Set<string>;
  private sampled = 0;

  /** `opening`: the first message of the session that is asked about. */
  constructor(opening: string | null) {
    this.openings = new Set(opening === null ? [] : [opening]);
  }

  /** Adds the first events of another session. */
  add(events: readonly SessionEvent[]): void {
    const opening = openingOf(events);
    if (opening !== null) {
      if (this.openings.has(opening)) return;
      this.openings.add(opening);
    }
    const keys = new Set<string>();
    for (const event of events) {
      if (!isKnown(event)) continue;
      if (event.type === "call.started") addKeys(keys, event.payload.params);
      if (event.type === "call.succeeded") addKeys(keys, event.payload.output);
    }
    if (keys.size === 0) return;
    this.sampled += 1;
    for (const key of keys) this.sessions.set(key, (this.sessions.get(key) ?? 0) + 1);
  }

  shareOf(key: string): number {
    const having = this.sessions.get(key) ?? 0;
    return this.sampled < FEWEST_SESSIONS || having < FEWEST_WITH_VALUE ? 0 : having / this.sampled;
  }
}

/** The first message of a session's user. */
export function openingOf(events: readonly SessionEvent[]): string | null {
  for (const event of events)
    if (isKnown(event) && event.type === "message.created" && event.payload.role === "user")
      return event.payload.content;
  return null;
}

function addKeys(keys: Set<string>, root: Json | undefined): void {
  for (const leaf of root === undefined ? [] : leavesOf(root, MOST_LEAVES)) {
    if (leaf === null || typeof leaf.value === "number" || leaf.value.length > LONGEST_COMMON) continue;
    for (const { key, kind } of formsOf(leaf.value)) if (kind === "words" || kind === "code") keys.add(key);
  }
}
