import { failureOf, fingerprintOf } from "../../lib/session/failure/failure.ts";
import { type EventRow, toEvent } from "../log/event-row.ts";
import type { FailurePlace, SimilarFailures } from "../repositories.ts";

/** How many failures of the same tool are compared, from either end: 1,000 take 20 ms of a reader thread. */
export const MOST_FAILURES = 1_000;
/** Payloads of failures are compared up to this many bytes in all; a larger one may have the parameters of its call. */
const MOST_FAILURE_BYTES = 8_000_000;
/** The conversations that are named. */
const NAMED = 5;

/** An event of a failure, with what its conversation is called. */
export interface FailureRow extends EventRow {
  called: string | null;
}

/**
 * The failures of the same kind as an event's among others of its tool, newest first, and itself. Null: the event records
 * no failure.
 */
export function similarFailures(asked: FailureRow, rows: Iterable<FailureRow>): SimilarFailures | null {
  const kind = kindOf(asked);
  if (kind === null) return null;
  const conversations = new Map<string, FailurePlace>();
  const found: SimilarFailures = { failures: 0, conversations: 0, cut: false, first: null, items: [] };
  const add = (place: FailurePlace) => {
    found.failures += 1;
    found.first = place;
    if (!conversations.has(place.conversation_id)) conversations.set(place.conversation_id, place);
  };
  let oldest = Number.POSITIVE_INFINITY;
  let compared = 0;
  for (const row of within(MOST_FAILURE_BYTES, rows)) {
    if (row === null) {
      found.cut = true;
      break;
    }
    compared += 1;
    found.cut = compared >= MOST_FAILURES;
    oldest = row.position;
    const place = placeOfKind(row, kind);
    if (place) add(place);
  }
  // It is older than all that were compared. Copies in forks, which are before position 0, are not counted.
  const own = asked.position > 0 && asked.position < oldest ? placeOfKind(asked, kind) : null;
  if (own) add(own);
  return { ...found, conversations: conversations.size, items: [...conversations.values()].slice(0, NAMED) };
}

/** Failures that were cut, with the earliest among the oldest of the same tool, oldest first. */
export function withEarliest(found: SimilarFailures, asked: FailureRow, rows: Iterable<FailureRow>): SimilarFailures {
  const kind = kindOf(asked);
  for (const row of within(MOST_FAILURE_BYTES, rows)) {
    const first = row && kind !== null ? placeOfKind(row, kind) : null;
    if (first) return { ...found, first };
  }
  return found;
}

/** Rows up to this many bytes of payloads in all; then null. */
function* within(most: number, rows: Iterable<FailureRow>): Generator<FailureRow | null> {
  let bytes = 0;
  for (const row of rows) {
    bytes += row.payload.length;
    if (bytes > most) {
      yield null;
      return;
    }
    yield row;
  }
}

function kindOf(row: FailureRow): string | null {
  const failure = failureOf(toEvent(row));
  return failure && fingerprintOf(failure);
}

/** Where a failure is, if it is of this kind. */
function placeOfKind({ called, ...row }: FailureRow, kind: string): FailurePlace | null {
  const event = toEvent(row);
  const { conversation_id, seq, occurred_at, recorded_at } = event;
  const failure = failureOf(event);
  if (conversation_id === null || failure === null || fingerprintOf(failure) !== kind) return null;
  return { conversation_id, name: called, seq, at: occurred_at ?? recorded_at, message: failure.message };
}
