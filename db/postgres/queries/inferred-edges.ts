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
import type { Queries } from "../database.ts";
import { TimelineChunks } from "../projections/timeline-chunks.ts";

const ROWS = `SELECT position, id, conversation_id, seq, type, actor, agent_id, run_id, parent_run_id, caused_by,
    occurred_at, recorded_at, origin, CASE
      WHEN type = 'plan.proposed' THEN json_build_object('iteration', iteration, 'calls', json_build_array())::text
      WHEN type IN ('run.started', 'run.iteration')
        THEN CASE WHEN iteration IS NULL THEN '{}' ELSE json_build_object('iteration', iteration)::text END
      WHEN octet_length(payload) <= ${LARGEST_VALUE} THEN payload
    END AS payload
  FROM events WHERE conversation_id = $1 AND seq > $2 AND seq <= $3
    AND (type = ANY($4) OR (seq >= $5 AND type = ANY($6)))
  ORDER BY seq`;

/** The beginnings of the sessions that began before one, as far as they were recorded by then. */
const SAMPLE = `WITH own AS (SELECT position, forked_from FROM conversations WHERE id = $1),
  sampled AS (
    SELECT conversations.id, conversations.position FROM conversations, own
    WHERE conversations.position < own.position AND conversations.id IS DISTINCT FROM own.forked_from
    ORDER BY conversations.position DESC LIMIT ${MOST_SAMPLED}
  )
  SELECT events.* FROM sampled CROSS JOIN own CROSS JOIN LATERAL (
    SELECT ${EVENT_COLUMNS} FROM events WHERE conversation_id = sampled.id AND seq <= ${SAMPLED_STEPS}
      AND position < own.position AND type = ANY($2) AND octet_length(payload) <= ${LARGEST_SAMPLED}
  ) AS events
  ORDER BY sampled.position DESC, events.seq`;

type Row = Omit<EventRow, "payload"> & { payload: string | null };

/** Where the calls of a run, of its delegates too, or of all runs used what earlier calls or messages had brought (E15). */
export async function readInferredEdges(
  queries: Queries,
  conversationId: string,
  runId: string | null,
): Promise<InferredEdges> {
  const chunks = await TimelineChunks.open(queries, conversationId);
  const to = runId === null ? Number.MAX_SAFE_INTEGER : await endOf(queries, chunks, conversationId, runId);
  const window = await windowBefore(queries, conversationId, to);
  // Of what stands before the window, only what runs had come to is known.
  const before = await chunks.memoryBefore(window.from);
  const inference = new EdgeInference(runId, before.rows.runs, await sampleBefore(queries, conversationId));
  let { cut } = window;
  const values = [conversationId, before.seq, to, SLIM_TYPES, window.from, VALUE_TYPES];
  for (const { payload, ...row } of await queries.rows<Row>(ROWS, values)) {
    if (payload === null) cut = true;
    else inference.add(toEvent({ ...row, payload }));
  }
  return { items: inference.edges, cut: cut || inference.cut };
}

/** How often values stand in sessions that began before this one; of a fork, not in its source. */
async function sampleBefore(queries: Queries, conversationId: string): Promise<SampledFrequencies> {
  const [first] = await queries.rows<{ content: string }>(
    "SELECT content FROM messages WHERE conversation_id = $1 AND role = 'user' ORDER BY seq LIMIT 1",
    [conversationId],
  );
  return frequenciesOf(first?.content ?? null, await queries.rows<EventRow>(SAMPLE, [conversationId, SAMPLE_TYPES]));
}

/** The last step of a run that has ended. While it goes on, its delegates may be further than itself. */
async function endOf(queries: Queries, chunks: TimelineChunks, id: string, runId: string): Promise<number> {
  for (const { from, to } of await chunks.holding([runMark(runId)], { from: chunks.last, direction: -1 })) {
    const [last] = await queries.rows<{ seq: number; type: string }>(
      `SELECT seq, type FROM events WHERE conversation_id = $1 AND run_id = $2 AND seq >= $3 AND seq <= $4
       ORDER BY seq DESC LIMIT 1`,
      [id, runId, from, to],
    );
    if (last) return /^run\.(finished|failed|cancelled)$/.test(last.type) ? last.seq : Number.MAX_SAFE_INTEGER;
  }
  return 0;
}

/** The earliest step that is gone through. */
async function windowBefore(queries: Queries, id: string, to: number): Promise<{ from: number; cut: boolean }> {
  const [row] = await queries.rows<{ seq: number | null }>(
    `SELECT max(seq) AS seq FROM (
       SELECT seq, sum(CASE WHEN octet_length(payload) <= ${LARGEST_VALUE} THEN octet_length(payload) ELSE 0 END)
         OVER (ORDER BY seq DESC) AS bytes
       FROM events WHERE conversation_id = $1 AND seq <= $2 AND type = ANY($3)
     ) AS newest WHERE bytes > ${MOST_VALUE_BYTES}`,
    [id, to, VALUE_TYPES],
  );
  return row?.seq ? { from: row.seq + 1, cut: true } : { from: 1, cut: false };
}
