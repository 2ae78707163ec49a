import type { Step } from "../../lib/session/slim.ts";
import type { TimelineColumns } from "../../lib/session/timeline.ts";
import { encodeTimeline } from "../../lib/session/timeline-rows.ts";
import type { Connection } from "./connection.ts";

type Row = Omit<Step, "error"> & { error: 0 | 1 };

/** The timeline after a step, in columns (E8). Null: no such conversation. */
export function readTimeline(connection: Connection, conversationId: string, after: number): TimelineColumns | null {
  const exists = connection.prepare<[string]>("SELECT 1 FROM conversations WHERE id = ?").get(conversationId);
  if (!exists) return null;
  const rows = connection
    .prepare<[string], Row>(
      `SELECT seq, id, type, actor, agent_id, run_id, parent_run_id, caused_by, call_id, iteration, instance, tool, error,
         occurred_at AS time, CASE WHEN type = 'run.iteration' THEN payload ->> '$.speaker.agent_id' END AS speaker,
         CASE WHEN type = 'run.started' THEN payload ->> '$.call_id' END AS parent_call,
         CASE WHEN type = 'run.started' THEN payload ->> '$.instance' END AS parent_instance
       FROM events WHERE conversation_id = ? ORDER BY seq`,
    )
    .iterate(conversationId);
  return encodeTimeline(stepsOf(rows), after);
}

function* stepsOf(rows: Iterable<Row>): Generator<Step> {
  for (const { error, ...step } of rows) yield { ...step, error: error === 1 };
}
