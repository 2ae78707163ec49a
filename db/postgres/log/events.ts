import { EVENT_COLUMNS, type EventRow, HEADER_COLUMNS, printEvent, toEvent } from "../../log/event-row.ts";
import type { Tail } from "../../log/tail.ts";
import { IS_SEEN } from "../../log/unfinished.ts";
import type { LogReader } from "../../log-reader.ts";
import type { EventHeader, Events } from "../../repositories.ts";
import { openDatabase, type Queries, type Value } from "../database.ts";

/** A page of events ends with the one that brings their payloads to this size, in bytes. */
const LARGEST_PAGE = 1024 * 1024;

/** The log, as readers see it. */
export function createEvents(queries: Queries, tail: Tail): Events {
  return {
    async list(conversationId, { after, limit, type }) {
      if (type === undefined) return (await readSeqs(queries, conversationId, after, limit)).map(toEvent);
      const wanted = "conversation_id = $2 AND seq > $3 AND type = $4";
      return (await readRows(queries, wanted, "seq", [limit, conversationId, after, type])).map(toEvent);
    },
    recent: (position, page) => tail.since(position, page),
    async since(position, page) {
      return tail.since(position, page) ?? (await sinceStored(queries, position, page)).map(toEvent);
    },
    async headers(position, limit) {
      return tail.headersSince(position, limit) ?? (await queries.rows<EventHeader>(HEADERS, [position, limit]));
    },
    async nextOf(conversationId, position) {
      const [row] = await queries.rows<{ position: number }>(NEXT_OF, [conversationId, position]);
      return row?.position ?? null;
    },
    head: () => headOf(queries),
    async seqs(conversationId, ids) {
      const rows = await queries.rows<{ id: string; seq: number }>(
        "SELECT id, seq FROM events WHERE id = ANY($1) AND conversation_id = $2",
        [ids, conversationId],
      );
      return new Map(rows.map(({ id, seq }) => [id, seq]));
    },
  };
}

/** Opens the log of a database for reading, with a connection of its own. */
export function openLogReader(url: string): LogReader {
  // A query that finds its connection lost fails, and the next one gets another.
  const database = openDatabase(url, () => undefined, 1);
  return {
    list: async (conversationId, { after, limit }) =>
      (await readSeqs(database, conversationId, after, limit)).map(toEvent),
    since: async (position, page) => (await sinceStored(database, position, page)).map(printEvent),
    close: () => database.close(),
  };
}

/** The newest position that is seen; 0 when the log is empty. */
export async function headOf(queries: Queries): Promise<number> {
  const [row] = await queries.rows<{ position: number }>(
    `SELECT position FROM events WHERE ${IS_SEEN} ORDER BY position DESC LIMIT 1`,
  );
  return row?.position ?? 0;
}

/** Events after a position, from the log itself. */
export async function sinceStored(
  queries: Queries,
  position: number,
  { conversationId, limit }: { conversationId?: string; limit: number },
): Promise<EventRow[]> {
  if (conversationId === undefined)
    return readRows(queries, `position > $2 AND ${IS_SEEN}`, "position", [limit, position]);
  const [row] = await queries.rows<{ seq: number }>(SEQ_AT, [conversationId, position]);
  return readSeqs(queries, conversationId, row?.seq ?? 0, limit);
}

function readSeqs(queries: Queries, conversationId: string, after: number, limit: number): Promise<EventRow[]> {
  return readRows(queries, "conversation_id = $2 AND seq > $3", "seq", [limit, conversationId, after]);
}

/**
 * The first of the events in an order, at most the first value of them, and fewer where they are large. The length of a payload
 * is known without reading it.
 */
function readRows(queries: Queries, wanted: string, order: string, values: Value[]): Promise<EventRow[]> {
  return queries.rows<EventRow>(
    `SELECT ${EVENT_COLUMNS} FROM (
       SELECT *, sum(octet_length(payload)) OVER (ORDER BY ${order}) - octet_length(payload) AS before
       FROM (SELECT * FROM events WHERE ${wanted} ORDER BY ${order} LIMIT $1) AS wanted
     ) AS page WHERE before < ${LARGEST_PAGE} ORDER BY ${order}`,
    values,
  );
}

/**
 * The last step of a conversation at or before a position, 0 when there is none. Steps and positions grow together, so halving
 * finds it without an index for it and without going through what others appended meanwhile.
 */
const SEQ_AT = `WITH RECURSIVE halves (low, high) AS (
    SELECT 0::bigint, coalesce((SELECT max(seq) FROM events WHERE conversation_id = $1), 0) + 1
    UNION ALL
    SELECT CASE WHEN events.position <= $2 THEN events.seq ELSE low END,
      CASE WHEN events.position <= $2 THEN high ELSE events.seq END
    FROM halves JOIN events ON conversation_id = $1 AND seq = (low + high) / 2
    WHERE low < high - 1
  )
  SELECT max(low) AS seq FROM halves`;

const HEADERS = `SELECT ${HEADER_COLUMNS} FROM events WHERE position > $1 AND ${IS_SEEN} ORDER BY position LIMIT $2`;

const NEXT_OF = `SELECT position FROM events
  WHERE conversation_id = $1 AND seq = (${SEQ_AT}) + 1 AND ${IS_SEEN}`;
