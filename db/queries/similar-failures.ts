import type { SessionEvent } from "../../lib/session/event.ts";
import { failureOf, fingerprintOf } from "../../lib/session/failure/failure.ts";
import { type EventRow, toEvent } from "../log/event-row.ts";
import type { SimilarFailures } from "../repositories.ts";

/** How many failures of the same tool are compared, the newest: 1,000 take 20 ms of a reader thread. */
export const MOST_FAILURES = 1_000;
/** Payloads of failures are compared up to this many bytes in all; a larger one may have the parameters of its call. */
const MOST_FAILURE_BYTES = 8_000_000;
/** The conversations that are named. */
const NAMED = 5;

/** An event of a failure, with what its conversation is called. */
export interface FailureRow extends EventRow {
  called: string | null;
}

/** The failures of the same kind as an event's among rows, newest first. Null: the event records no failure. */
export function similarFailures(event: SessionEvent, rows: Iterable<FailureRow>): SimilarFailures | null {
  const failure = failureOf(event);
  if (failure === null) return null;
  const fingerprint = fingerprintOf(failure);
  const conversations = new Map<string, SimilarFailures["items"][number]>();
  const found: SimilarFailures = { failures: 0, conversations: 0, cut: false, first: null, items: [] };
  let compared = 0;
  let bytes = 0;
  for (const { called, ...row } of rows) {
    compared += 1;
    bytes += row.payload.length;
    found.cut = compared >= MOST_FAILURES || bytes > MOST_FAILURE_BYTES;
    if (bytes > MOST_FAILURE_BYTES) break;
    const one = toEvent(row);
    const told = failureOf(one);
    if (one.conversation_id === null || told === null || fingerprintOf(told) !== fingerprint) continue;
    const at = one.occurred_at ?? one.recorded_at;
    const place = { conversation_id: one.conversation_id, name: called, seq: one.seq, at, message: told.message };
    found.failures += 1;
    found.first = place;
    if (!conversations.has(one.conversation_id)) conversations.set(one.conversation_id, place);
  }
  return { ...found, conversations: conversations.size, items: [...conversations.values()].slice(0, NAMED) };
}
