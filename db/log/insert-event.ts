import type { Recorder, SessionEvent } from "../../lib/session/event.ts";
import { type EventIndexColumns, indexColumnsOf } from "../../lib/session/events/event-index-columns.ts";
import type { EventValues, Run } from "./writes.ts";

/** What is known of an event when it is stored: times as epoch ms, and who puts it into the log. */
export interface Circumstances {
  occurredAt: number | null;
  recordedAt: number;
  by: Recorder;
}

/** Writes an event's row, with its payload as text; false where its id exists. */
export function insertEvent(
  insert: Run<EventValues>,
  event: SessionEvent,
  { occurredAt, recordedAt, by }: Circumstances,
  payload: string,
  slim: EventIndexColumns = indexColumnsOf(event),
): boolean {
  const { changes } = insert.run(
    event.position,
    event.id,
    event.conversation_id,
    event.seq,
    event.type,
    event.actor,
    event.agent_id,
    event.run_id,
    event.parent_run_id,
    event.caused_by,
    slim.call_id,
    slim.iteration,
    slim.instance,
    slim.tool,
    slim.error ? 1 : 0,
    occurredAt,
    recordedAt,
    payload,
    by === "program" ? null : by,
  );
  return changes === 1;
}
