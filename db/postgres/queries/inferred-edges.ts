import { EdgeInference } from "../../../lib/session/find/inferred-edges.ts";
import { runMark } from "../../../lib/session/timeline/timeline-levels.ts";
import { type EventRow, toEvent } from "../../log/event-row.ts";
import { LARGEST_VALUE, MOST_VALUE_BYTES, SLIM_TYPES, VALUE_TYPES } from "../../queries/inferred-edges.ts";
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
  const inference = new EdgeInference(runId, before.rows.runs);
  let { cut } = window;
  const values = [conversationId, before.seq, to, SLIM_TYPES, window.from, VALUE_TYPES];
  for (const { payload, ...row } of await queries.rows<Row>(ROWS, values)) {
    if (payload === null) cut = true;
    else inference.add(toEvent({ ...row, payload }));
  }
  return { items: inference.edges, cut: cut || inference.cut };
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
