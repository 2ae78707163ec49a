import { MapBuilder } from "../../../lib/session/map/session-map.ts";
import { type EventRow, toEvent } from "../../log/event-row.ts";
import {
  ALL_MAP_TYPES,
  LARGEST_MAPPED,
  MAPPED_TYPES,
  MOST_MAP_BYTES,
  MOST_MAP_EVENTS,
} from "../../queries/session-map.ts";
import type { Queries } from "../database.ts";
import { lastStep } from "../projections/folded.ts";
import { jsonIn } from "./json-text.ts";

const ROWS = `SELECT position, id, conversation_id, seq, type, actor, agent_id, run_id, parent_run_id, caused_by,
    occurred_at, recorded_at, origin, CASE
      WHEN NOT (type = ANY($4)) THEN '{}'
      WHEN octet_length(payload) <= ${LARGEST_MAPPED} THEN payload
      WHEN type = 'plan.proposed' THEN json_build_object('iteration', iteration, 'calls', json_build_array())::text
      WHEN type = 'message.created' THEN json_build_object(
        'message_id', ${jsonIn("payload")} ->> 'message_id', 'role', ${jsonIn("payload")} ->> 'role',
        'content', left(${jsonIn("payload")} ->> 'content', 1000))::text
      ELSE json_strip_nulls(json_build_object(
        'call_id', call_id, 'iteration', iteration, 'instance', instance, 'tool', tool,
        'error', ${jsonIn("payload")} -> 'error', 'handled', ${jsonIn("payload")} -> 'handled'))::text
    END AS payload
  FROM events WHERE conversation_id = $1 AND seq BETWEEN $2 AND $5 AND type = ANY($3) ORDER BY seq`;

/** A session's map, with its last step. */
export async function readSessionMap(queries: Queries, conversationId: string): Promise<string> {
  // Read before the events: what is appended meanwhile is after the map, where live events continue it.
  const last = await lastStep(queries, conversationId);
  const from = await startOf(queries, conversationId);
  const builder = new MapBuilder();
  const asked = [conversationId, from, ALL_MAP_TYPES, MAPPED_TYPES, last];
  for (const row of await queries.rows<EventRow>(ROWS, asked)) builder.add(toEvent(row));
  return JSON.stringify({
    ...builder.map(),
    last,
    runs_before: from === 1 ? 0 : await runsBefore(queries, conversationId, from),
  });
}

/** The first step that the map includes. */
async function startOf(queries: Queries, id: string): Promise<number> {
  const [row] = await queries.rows<{ seq: number | null }>(
    `SELECT max(seq) AS seq FROM (
       SELECT seq, row_number() OVER (ORDER BY seq DESC) AS events,
         sum(CASE WHEN octet_length(payload) <= ${LARGEST_MAPPED} THEN octet_length(payload) ELSE 0 END)
           OVER (ORDER BY seq DESC) AS bytes
       FROM events WHERE conversation_id = $1 AND type = ANY($2)
     ) AS newest WHERE events > ${MOST_MAP_EVENTS} OR bytes > ${MOST_MAP_BYTES}`,
    [id, ALL_MAP_TYPES],
  );
  return row?.seq ? row.seq + 1 : 1;
}

async function runsBefore(queries: Queries, id: string, from: number): Promise<number> {
  const [row] = await queries.rows<{ runs: number }>(
    `SELECT count(*)::int AS runs FROM events
      WHERE conversation_id = $1 AND seq < $2 AND type = 'run.started' AND parent_run_id IS NULL`,
    [id, from],
  );
  return row?.runs ?? 0;
}
