import { EdgeInference } from "../../../lib/session/find/inferred-edges.ts";
import { SAMPLE_TYPES, type SampledFrequencies } from "../../../lib/session/find/value-frequencies.ts";
import { runMark } from "../../../lib/session/timeline/levels.ts";
import { EVENT_COLUMNS, type EventRow, toEvent } from "../../log/event-row.ts";
import {
  frequenciesOf,
  LARGEST_SAMPLED,
  LARGEST_VALUE,
  MOST_SAMPLED,
  MOST_VALUE_BYTES,
  SAMPLED_STEPS,
  SLIM_TYPES,
  VALUE_TYPES,
} from "../../queries/inferred-edges.ts";
import type { InferredEdges } from "../../repositories.ts";
import type { Connection } from "../connection.ts";
import type { TimelineChunks } from "../projections/timeline-chunks.ts";

const ROWS = `SELECT position, id, conversation_id, seq, type, actor, agent_id, run_id, parent_run_id, caused_by,
    occurred_at, recorded_at, origin, CASE
      WHEN type = 'plan.proposed' THEN json_object('iteration', iteration, 'calls', json_array())
      WHEN type IN ('run.started', 'run.iteration')
        THEN CASE WHEN iteration IS NULL THEN '{}' ELSE json_object('iteration', iteration) END
      WHEN octet_length(payload) <= ${LARGEST_VALUE} THEN payload
    END AS payload
  FROM events WHERE conversation_id = :conversation AND seq > :after AND seq <= :to
    AND (type IN (SELECT value FROM json_each(:slim))
      OR (seq >= :from AND type IN (SELECT value FROM json_each(:values))))
  ORDER BY seq`;

/** The beginning of a session, as far as it was recorded before a position of the log. */
const SAMPLE = `SELECT ${EVENT_COLUMNS} FROM events WHERE conversation_id = ? AND seq <= ${SAMPLED_STEPS}
    AND position < ? AND type IN (SELECT value FROM json_each(?)) AND octet_length(payload) <= ${LARGEST_SAMPLED}
  ORDER BY seq`;

type Row = Omit<EventRow, "payload"> & { payload: string | null };

/**
 * Inferred edges: where the calls of a run with its delegates, or of all runs, used values of earlier calls or messages
 * (E15). Null: no such conversation.
 */
export function readInferredEdges(
  connection: Connection,
  chunks: TimelineChunks,
  conversationId: string,
  runId: string | null,
): InferredEdges | null {
  const conversation = connection
    .prepare<[string], Conversation>("SELECT position, forked_from FROM conversations WHERE id = ?")
    .get(conversationId);
  if (!conversation) return null;
  const to = runId === null ? Number.MAX_SAFE_INTEGER : endOf(connection, chunks, conversationId, runId);
  const window = windowBefore(connection, conversationId, to);
  // Before the window, only the results of runs are known.
  const before = chunks.memoryBefore(conversationId, window.from);
  const inference = new EdgeInference(runId, before.rows.runs, sampleBefore(connection, conversationId, conversation));
  let cut = window.cut;
  const rows = connection.prepare<Record<string, unknown>, Row>(ROWS).iterate({
    conversation: conversationId,
    after: before.seq,
    from: window.from,
    to,
    slim: JSON.stringify(SLIM_TYPES),
    values: JSON.stringify(VALUE_TYPES),
  });
  for (const { payload, ...row } of rows) {
    if (payload === null) cut = true;
    else inference.add(toEvent({ ...row, payload }));
  }
  return { items: inference.edges, cut: cut || inference.cut };
}

interface Conversation {
  position: number;
  forked_from: string | null;
}

/** How often values stand in sessions that began before this one; of a fork, not in its source. */
function sampleBefore(
  connection: Connection,
  conversationId: string,
  { position, forked_from }: Conversation,
): SampledFrequencies {
  const opening = connection
    .prepare<[string], string>(
      "SELECT content FROM messages WHERE conversation_id = ? AND role = 'user' ORDER BY seq LIMIT 1",
    )
    .pluck()
    .get(conversationId);
  const sessions = connection
    .prepare<[number, string | null], string>(
      `SELECT id FROM conversations WHERE position < ? AND id IS NOT ? ORDER BY position DESC LIMIT ${MOST_SAMPLED}`,
    )
    .pluck()
    .all(position, forked_from);
  const beginning = connection.prepare<[string, number, string], EventRow>(SAMPLE);
  const types = JSON.stringify(SAMPLE_TYPES);
  return frequenciesOf(
    opening ?? null,
    sessions.flatMap((id) => beginning.all(id, position, types)),
  );
}

/** The last step of a run that has ended. Before, its delegates may be ahead of it. */
function endOf(connection: Connection, chunks: TimelineChunks, conversationId: string, runId: string): number {
  const newest = connection.prepare<[string, string, number, number], { seq: number; type: string }>(
    `SELECT seq, type FROM events WHERE conversation_id = ? AND run_id = ? AND seq >= ? AND seq <= ?
     ORDER BY seq DESC LIMIT 1`,
  );
  const back = { from: chunks.last(conversationId), direction: -1 } as const;
  for (const { from, to } of chunks.holding(conversationId, [runMark(runId)], back)) {
    const last = newest.get(conversationId, runId, from, to);
    if (last) return /^run\.(finished|failed|cancelled)$/.test(last.type) ? last.seq : Number.MAX_SAFE_INTEGER;
  }
  return 0;
}

/** The earliest step that is examined. SQLite knows the length of a payload without reading it. */
function windowBefore(connection: Connection, conversationId: string, to: number): { from: number; cut: boolean } {
  const rows = connection
    .prepare<[string, number, string], { seq: number; bytes: number }>(
      `SELECT seq, octet_length(payload) AS bytes FROM events
        WHERE conversation_id = ? AND seq <= ? AND type IN (SELECT value FROM json_each(?)) ORDER BY seq DESC`,
    )
    .iterate(conversationId, to, JSON.stringify(VALUE_TYPES));
  let left = MOST_VALUE_BYTES;
  for (const { seq, bytes } of rows) {
    if (bytes <= LARGEST_VALUE) left -= bytes;
    if (left < 0) return { from: seq + 1, cut: true };
  }
  return { from: 1, cut: false };
}
