import type { SessionEvent } from "../../lib/session/event.ts";
import { EDGE_TYPES } from "../../lib/session/find/inferred-edges.ts";
import { SampledFrequencies } from "../../lib/session/find/value-frequencies.ts";
import { type EventRow, toEvent } from "../log/event-row.ts";

/**
 * How many bytes of what was said, asked and answered one answer goes through, the newest: under a second of a reader
 * thread on a busy machine. What stands before them is left out, and the answer says so.
 */
export const MOST_VALUE_BYTES = 4_000_000;
/** A larger payload is passed over: what is looked for are names and numbers, and nobody finds them in it by eye. */
export const LARGEST_VALUE = 1_000_000;

/** Types whose payload says nothing of values: their columns are enough. */
export const SLIM_TYPES = ["run.started", "run.iteration", "plan.proposed"];
export const VALUE_TYPES = EDGE_TYPES.filter((type) => !SLIM_TYPES.includes(type));

/**
 * Which other sessions are read to learn what is common (decision 38): those that began before this one, the newest
 * first. What they had recorded by then never changes, so an answer stays the same.
 */
export const MOST_SAMPLED = 40;
/** Of each session, only the beginning: its first steps, payloads and bytes. */
export const SAMPLED_STEPS = 200;
export const LARGEST_SAMPLED = 8_000;
const MOST_SAMPLED_BYTES = 24_000;

/** How often values stand in a sample of sessions; `rows` are their first events, session by session. */
export function frequenciesOf(opening: string | null, rows: Iterable<EventRow>): SampledFrequencies {
  const frequencies = new SampledFrequencies(opening);
  let session: SessionEvent[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (row.conversation_id !== session[0]?.conversation_id) {
      frequencies.add(session);
      session = [];
      bytes = 0;
    }
    bytes += row.payload.length;
    if (bytes <= MOST_SAMPLED_BYTES) session.push(toEvent(row));
  }
  frequencies.add(session);
  return frequencies;
}
