import type Sqlite from "better-sqlite3";
import { IS_SEEN } from "../log/unfinished.ts";
import type { EventValues } from "../log/writes.ts";
import { idsFrom } from "../payload/stored-spans.ts";
import type { Connection } from "./connection.ts";

/**
 * Events are found by their ids in two ways. Most are in an index, a row each. Traces are mapped to many events at once, and every
 * trace touches pages of its own in an index of ids, which cost a quarter of storing them. So of a trace that is stored at once
 * only the first event is in an index, a small one, with the number of those that follow it in the log (`followers`). They
 * are looked through. An event of the same trace that comes later is in the index of most.
 */

/** The prefix of ids that are made of a trace's: `otlp:<trace_id>:`, see `lib/intake/otlp/names.ts`. */
const TRACE_PREFIX = "otlp:";
const TRACE_PREFIX_LENGTH = TRACE_PREFIX.length + 32 + 1;

/** Looking for an event looks through so many at most. */
const MOST_FOLLOWERS = 500;

/**
 * The positions of events, as a subquery: those that a condition on an id is true for. `id` is a text that all these ids begin as, up
 * to their trace's. A query that names their conversation too says `+conversation_id`: by its index, SQLite would look through the
 * whole conversation.
 */
export function positionsOf(condition: (id: string) => string, id: string): string {
  const trace = `substr(${id}, 1, ${TRACE_PREFIX_LENGTH - 1})`;
  return `SELECT single.position FROM events AS single WHERE single.followers IS NULL AND ${condition("single.id")}
    UNION ALL
    SELECT one.position FROM events AS leader CROSS JOIN events AS one
    WHERE leader.followers > 0 AND leader.id >= ${trace} || ':' AND leader.id < ${trace} || ';'
      AND one.position BETWEEN leader.position AND leader.position + leader.followers AND one.followers >= 0
      AND ${condition("one.id")}`;
}

/**
 * The same without those of an import that may still be cancelled. By the plus, SQLite does not look for positions, of which nearly
 * all are seen.
 */
export function seenPositionsOf(condition: (id: string) => string, id: string): string {
  return `SELECT position FROM (${positionsOf(condition, id)}) WHERE +${IS_SEEN}`;
}

/** Whether an event's id begins with a prefix that ends with a colon, of a trace or of one of its spans. */
export function prepareIsTold(connection: Connection, positions = seenPositionsOf): (prefix: string) => boolean {
  const told = connection.prepare<[{ from: string; to: string }], 1>(
    `SELECT 1 WHERE EXISTS (${positions((id) => `${id} >= :from AND ${id} < :to`, ":from")})`,
  );
  return (prefix) => told.get(idsFrom(prefix)) !== undefined;
}

type Row = [...EventValues, followers: number | null];

const COLUMNS = 20;
const ROW = `(${Array(COLUMNS).fill("?").join(", ")})`;

/** Rows that one statement inserts at most: a statement for each takes a quarter longer, and more of them together gain nothing. */
const MOST_ROWS = 18;

/** Writes events with their ids. */
export function prepareInserts(connection: Connection) {
  const into = `INSERT INTO events (position, id, conversation_id, seq, type, actor, agent_id, run_id, parent_run_id,
    caused_by, call_id, iteration, instance, tool, error, occurred_at, recorded_at, payload, origin, followers)`;
  const insert = connection.prepare<Row>(`${into} VALUES ${ROW} ON CONFLICT (id) WHERE followers IS NULL DO NOTHING`);
  /** By the number of rows. */
  const statements = new Map<number, Sqlite.Statement<Row[number][]>>();
  const insertAll = (rows: number) => {
    const known = statements.get(rows);
    if (known) return known;
    const prepared = connection.prepare<Row[number][]>(`${into} VALUES ${Array(rows).fill(ROW).join(", ")}`);
    statements.set(rows, prepared);
    return prepared;
  };
  const exists = connection.prepare<[{ id: string }], 1>(
    `SELECT 1 WHERE EXISTS (${positionsOf((id) => `${id} = :id`, ":id")})`,
  );
  return {
    /** Changes nothing where the id exists. */
    one: {
      run(...values: EventValues) {
        const [, id] = values;
        if (id.startsWith(TRACE_PREFIX) && exists.get({ id })) return { changes: 0 };
        return insert.run(...values, null);
      },
    },
    /**
     * For events of a trace in their order, one after the other, of which none exists: see `isTogether`. They are inserted some at
     * a time, and all by `end`.
     */
    together(count: number) {
      let followers = count - 1;
      let values: Row[number][] = [];
      const end = () => {
        if (values.length > 0) insertAll(values.length / COLUMNS).run(...values);
        values = [];
      };
      return {
        run(...event: EventValues) {
          values.push(...event, followers);
          followers = 0;
          if (values.length === MOST_ROWS * COLUMNS) end();
          return { changes: 1 };
        },
        end,
      };
    },
  };
}

/** Whether events of a trace can be stored together: they are removed together too, being of one conversation. */
export function isTogether(
  traceId: string,
  events: readonly { id: string; conversation_id: string | null }[],
): boolean {
  const [first] = events;
  if (!first || first.conversation_id === null || events.length < 2 || events.length > MOST_FOLLOWERS) return false;
  const prefix = `${TRACE_PREFIX}${traceId}:`;
  if (prefix.length !== TRACE_PREFIX_LENGTH) return false;
  const ids = new Set<string>();
  for (const { id, conversation_id } of events) {
    if (conversation_id !== first.conversation_id || !id.startsWith(prefix)) return false;
    ids.add(id);
  }
  return ids.size === events.length;
}
