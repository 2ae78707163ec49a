import type { Json } from "../../../lib/session/json/json.ts";
import { IS_SEEN } from "../../log/unfinished.ts";
import {
  isFork,
  MOST_COUNTED,
  NOTHING_READ,
  type SearchedRow,
  type SearchProgress,
  Stretch,
  type Unsearched,
} from "../../search/unsearched.ts";
import type { Connection } from "../connection.ts";

const ROW = "SELECT position, conversation_id, seq, type, payload FROM events";

/**
 * The next batch of events that are not indexed (E14). Null: there are none. Events without a conversation are not
 * indexed, and an import only when it is complete. A fork's history has no order in the log: it is indexed before the
 * event that makes the fork visible.
 */
export function readUnsearched(connection: Connection): Unsearched | null {
  const from = readProgress(connection);
  const stretch = new Stretch(from);
  const reads = prepareReads(connection);
  const places = new Map<string, number | null>();
  /** Where a conversation stands in the list's table; null: it is not in the list, and so nothing of it can be found. */
  const placeOf = (id: string | null): number | null => {
    if (id === null) return null;
    const place = places.get(id) ?? reads.conversation.get(id) ?? null;
    places.set(id, place);
    return place;
  };
  for (const row of reads.events.iterate(from.position)) {
    const payload: Json = JSON.parse(row.payload);
    if (row.conversation_id !== null && isFork(row.type, payload))
      for (const past of reads.history.iterate(row.conversation_id, stretch.history)) {
        stretch.takeHistory(past, placeOf(past.conversation_id));
        if (stretch.isFull) break;
      }
    if (stretch.isFull) break;
    stretch.take(row, payload, placeOf(row.conversation_id));
    if (stretch.isFull) break;
  }
  return stretch.end();
}

/** The number of events that are not indexed, counted up to 10,000. */
export function countUnsearched(connection: Connection): number {
  const counted = connection
    .prepare<[number], number>(
      `SELECT count(*) FROM (SELECT 1 FROM events WHERE position > ? AND ${IS_SEEN} LIMIT ${MOST_COUNTED})`,
    )
    .pluck()
    .get(readProgress(connection).position);
  return counted ?? 0;
}

/** How far the log has been read into the index. */
export function readProgress(connection: Connection): SearchProgress {
  const progress = connection.prepare<[], SearchProgress>("SELECT position, history FROM search_progress").get();
  return progress ?? NOTHING_READ;
}

function prepareReads(connection: Connection) {
  return {
    events: connection.prepare<[number], SearchedRow>(`${ROW} WHERE position > ? AND ${IS_SEEN} ORDER BY position`),
    history: connection.prepare<[string, number], SearchedRow>(
      `${ROW} WHERE conversation_id = ? AND seq > ? AND position < 0 ORDER BY seq`,
    ),
    conversation: connection.prepare<[string], number>("SELECT position FROM conversations WHERE id = ?").pluck(),
  };
}
