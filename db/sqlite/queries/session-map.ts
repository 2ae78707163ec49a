import { MapBuilder } from "../../../lib/session/map/session-map.ts";
import { type EventRow, toEvent } from "../../log/event-row.ts";
import {
  ALL_MAP_TYPES,
  LARGEST_MAPPED,
  MAPPED_TYPES,
  MOST_MAP_BYTES,
  MOST_MAP_EVENTS,
} from "../../queries/session-map.ts";
import type { Connection } from "../connection.ts";

const ROWS = `SELECT position, id, conversation_id, seq, type, actor, agent_id, run_id, parent_run_id, caused_by,
    occurred_at, recorded_at, origin, CASE
      WHEN type NOT IN (SELECT value FROM json_each(:mapped)) THEN '{}'
      WHEN octet_length(payload) <= ${LARGEST_MAPPED} THEN payload
      WHEN type = 'plan.proposed' THEN json_object('iteration', iteration, 'calls', json_array())
      WHEN type = 'message.created' THEN json_object(
        'message_id', payload ->> 'message_id', 'role', payload ->> 'role', 'content', substr(payload ->> 'content', 1, 1000))
      ELSE json_patch('{}', json_object(
        'call_id', call_id, 'iteration', iteration, 'instance', instance, 'tool', tool,
        'error', json(payload -> 'error'), 'handled', json(payload -> 'handled')))
    END AS payload
  FROM events WHERE conversation_id = :conversation AND seq BETWEEN :from AND :last
    AND type IN (SELECT value FROM json_each(:types))
  ORDER BY seq`;

/** A session's map, with its last step. Null: no such conversation. */
export function readSessionMap(connection: Connection, conversationId: string): string | null {
  if (!connection.prepare<[string]>("SELECT 1 FROM conversations WHERE id = ?").get(conversationId)) return null;
  // Read before the events: what is appended meanwhile is after the map, where live events continue it.
  const newest = connection
    .prepare<[string], { last: number }>("SELECT coalesce(max(seq), 0) AS last FROM events WHERE conversation_id = ?")
    .get(conversationId);
  const last = newest?.last ?? 0;
  const types = JSON.stringify(ALL_MAP_TYPES);
  const from = startOf(connection, conversationId, types);
  const builder = new MapBuilder();
  const rows = connection.prepare<Record<string, unknown>, EventRow>(ROWS).iterate({
    conversation: conversationId,
    from,
    last,
    types,
    mapped: JSON.stringify(MAPPED_TYPES),
  });
  for (const row of rows) builder.add(toEvent(row));
  return JSON.stringify({
    ...builder.map(),
    last,
    runs_before: from === 1 ? 0 : runsBefore(connection, conversationId, from),
  });
}

/** The first step that the map includes. SQLite knows the length of a payload without reading it. */
function startOf(connection: Connection, conversationId: string, types: string): number {
  const rows = connection
    .prepare<[string, string], { seq: number; bytes: number }>(
      `SELECT seq, octet_length(payload) AS bytes FROM events
        WHERE conversation_id = ? AND type IN (SELECT value FROM json_each(?)) ORDER BY seq DESC`,
    )
    .iterate(conversationId, types);
  let events = 0;
  let bytes = 0;
  for (const row of rows) {
    events += 1;
    if (row.bytes <= LARGEST_MAPPED) bytes += row.bytes;
    if (events > MOST_MAP_EVENTS || bytes > MOST_MAP_BYTES) return row.seq + 1;
  }
  return 1;
}

function runsBefore(connection: Connection, conversationId: string, from: number): number {
  const runs = connection
    .prepare<[string, number], { runs: number }>(
      `SELECT count(*) AS runs FROM events
        WHERE conversation_id = ? AND seq < ? AND type = 'run.started' AND parent_run_id IS NULL`,
    )
    .get(conversationId, from);
  return runs?.runs ?? 0;
}
