import { setImmediate as turn } from "node:timers/promises";
import type { SessionEvent } from "../../../lib/session/event.ts";
import {
  EVENT_COLUMNS,
  type EventRow,
  firstRows,
  HEADER_COLUMNS,
  printEvent,
  readEventPage,
  toEvent,
} from "../../log/event-row.ts";
import type { Tail } from "../../log/tail.ts";
import { IS_SEEN } from "../../log/unfinished.ts";
import type { LogReader } from "../../log-reader.ts";
import type { EventHeader, Events } from "../../repositories.ts";
import { type Connection, openForReading } from "../connection.ts";
import { positionsOf } from "../events-by-id.ts";
import type { TimelineChunks } from "../projections/timeline-chunks.ts";
import type { ReaderPool } from "../readers/reader-pool.ts";

/**
 * The log for readers. Reading page by page lets other work run in between. Filtering by type scans a whole session, so
 * a reader thread does it.
 */
export function createEvents(connection: Connection, tail: Tail, readers: ReaderPool): Events {
  const reads = prepareEventReads(connection);
  return {
    async list(conversationId, { after, limit, type }) {
      if (type !== undefined) return readers.call("eventsOfType", conversationId, type, after, limit);
      const found = readEventPage(reads.afterSeq.iterate(conversationId, after, limit));
      if (limit > 1) await turn();
      return found;
    },
    recent: (position, page) => tail.since(position, page),
    async since(position, page) {
      const recent = tail.since(position, page);
      if (recent) return recent;
      const found = sinceStored(reads, position, page).map(toEvent);
      await turn();
      return found;
    },
    async headers(position, limit) {
      const recent = tail.headersSince(position, limit);
      if (recent) return recent;
      const found = reads.headersAfter.all(position, limit);
      await turn();
      return found;
    },
    async nextOf(conversationId, position) {
      return reads.seenAt.get(conversationId, seqAt(reads, conversationId, position) + 1) ?? null;
    },
    async head() {
      return reads.head.get() ?? 0;
    },
    async seqs(conversationId, ids) {
      return new Map(reads.seqs.all(JSON.stringify(ids), conversationId).map(({ id, seq }) => [id, seq]));
    },
  };
}

/** The newest visible position; 0 if the log is empty. */
export function headOf(connection: Connection): number {
  return prepareEventReads(connection).head.get() ?? 0;
}

/** Opens the log of a database file for reading, beside the writer. */
export function openLogReader(file: string): LogReader {
  const connection = openForReading(file);
  const reads = prepareEventReads(connection);
  return {
    list: (conversationId, { after, limit }) => readEventPage(reads.afterSeq.iterate(conversationId, after, limit)),
    since: (position, page) => sinceStored(reads, position, page).map(printEvent),
    close: () => void connection.close(),
  };
}

/** Events of one type after a step, oldest first; in a long session, only chunks that contain some are read. */
export function eventsOfType(
  connection: Connection,
  chunks: TimelineChunks,
  conversationId: string,
  type: string,
  after: number,
  limit: number,
): SessionEvent[] {
  const between = connection.prepare<[string, number, number, string, number], EventRow>(
    `SELECT ${EVENT_COLUMNS} FROM events WHERE conversation_id = ? AND seq >= ? AND seq <= ? AND type = ?
     ORDER BY seq LIMIT ?`,
  );
  function* rows() {
    let left = limit;
    for (const { from, to } of chunks.holding(conversationId, [type], { from: after + 1, direction: 1 })) {
      for (const row of between.iterate(conversationId, from, to, type, left)) {
        yield row;
        left -= 1;
      }
      if (left === 0) return;
    }
  }
  return readEventPage(rows());
}

function prepareEventReads(connection: Connection) {
  return {
    head: connection
      .prepare<[], number | null>(`SELECT position FROM events WHERE ${IS_SEEN} ORDER BY position DESC LIMIT 1`)
      .pluck(),
    afterPosition: connection.prepare<[number, number], EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events WHERE position > ? AND ${IS_SEEN} ORDER BY position LIMIT ?`,
    ),
    headersAfter: connection.prepare<[number, number], EventHeader>(
      `SELECT ${HEADER_COLUMNS} FROM events WHERE position > ? AND ${IS_SEEN} ORDER BY position LIMIT ?`,
    ),
    afterSeq: connection.prepare<[string, number, number], EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events WHERE conversation_id = ? AND seq > ? ORDER BY seq LIMIT ?`,
    ),
    lastSeq: connection
      .prepare<[string], number | null>("SELECT max(seq) FROM events WHERE conversation_id = ?")
      .pluck(),
    seqs: connection.prepare<[string, string], { id: string; seq: number }>(
      `SELECT events.id, events.seq FROM json_each(?) AS wanted
         CROSS JOIN events ON events.position IN (${positionsOf((id) => `${id} = wanted.value`, "wanted.value")})
       WHERE +events.conversation_id = ?`,
    ),
    positionOf: connection
      .prepare<[string, number], number>("SELECT position FROM events WHERE conversation_id = ? AND seq = ?")
      .pluck(),
    seenAt: connection
      .prepare<[string, number], number>(
        `SELECT position FROM events WHERE conversation_id = ? AND seq = ? AND ${IS_SEEN}`,
      )
      .pluck(),
  };
}

type EventReads = ReturnType<typeof prepareEventReads>;

function sinceStored(
  reads: EventReads,
  position: number,
  { conversationId, limit }: { conversationId?: string; limit: number },
): EventRow[] {
  if (conversationId === undefined) return firstRows(reads.afterPosition.iterate(position, limit));
  return firstRows(reads.afterSeq.iterate(conversationId, seqAt(reads, conversationId, position), limit));
}

/**
 * The last step of a conversation at or before a position, 0 if there is none. Steps and positions increase together,
 * so a binary search finds it without an index and without scanning what others appended.
 */
function seqAt(reads: EventReads, conversationId: string, position: number): number {
  let low = 0;
  let high = reads.lastSeq.get(conversationId) ?? 0;
  if (high > 0 && (reads.positionOf.get(conversationId, high) ?? 0) <= position) return high;
  while (low < high - 1) {
    const middle = Math.floor((low + high) / 2);
    if ((reads.positionOf.get(conversationId, middle) ?? 0) <= position) low = middle;
    else high = middle;
  }
  return low;
}
