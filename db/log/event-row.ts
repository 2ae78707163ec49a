import { RECORDERS, type Recorder, type SessionEvent } from "../../lib/session/event.ts";
import { toIso } from "../times.ts";

/** A row of the events table: times in epoch ms, the payload as text. */
export interface EventRow {
  position: number;
  id: string;
  conversation_id: string | null;
  seq: number;
  type: string;
  actor: string | null;
  agent_id: string | null;
  run_id: string | null;
  parent_run_id: string | null;
  caused_by: string | null;
  payload: string;
  occurred_at: number | null;
  recorded_at: number;
  origin: string | null;
}

/** The columns of an `EventRow`, for a SELECT. */
export const EVENT_COLUMNS =
  "position, id, conversation_id, seq, type, actor, agent_id, run_id, parent_run_id, caused_by, payload, occurred_at, recorded_at, origin";

/** The columns of an `EventHeader`, for a SELECT. */
export const HEADER_COLUMNS = "position, conversation_id, seq, type, run_id, parent_run_id";

/** A page of events ends when its payloads exceed this size, in characters. An event may have 5 MB. */
const LARGEST_PAGE = 1024 * 1024;

/** The first events, up to the size of a page; the others are not read. At least one if there are any. */
export function readEventPage(rows: Iterable<EventRow>): SessionEvent[] {
  return firstRows(rows).map(toEvent);
}

/** The first rows, likewise. */
export function firstRows(rows: Iterable<EventRow>): EventRow[] {
  const page: EventRow[] = [];
  let size = 0;
  for (const row of rows) {
    page.push(row);
    size += row.payload.length;
    if (size >= LARGEST_PAGE) break;
  }
  return page;
}

export function toEvent(row: EventRow): SessionEvent {
  return {
    id: row.id,
    conversation_id: row.conversation_id,
    seq: row.seq,
    position: row.position,
    type: row.type,
    actor: row.actor,
    agent_id: row.agent_id,
    run_id: row.run_id,
    parent_run_id: row.parent_run_id,
    caused_by: row.caused_by,
    payload: JSON.parse(row.payload),
    ...timesOf(row),
  };
}

function timesOf({ occurred_at, recorded_at, origin }: EventRow) {
  return {
    occurred_at: occurred_at === null ? null : toIso(occurred_at),
    recorded_at: toIso(recorded_at),
    recorded_by: recorderOf(origin),
  };
}

/** An event as JSON, with what is needed to send it. */
export interface PrintedEvent {
  position: number;
  type: string;
  json: string;
}

/** The JSON of `toEvent`, without parsing its payload: that was most of the time of reading the log from its start. */
export function printEvent(row: EventRow): PrintedEvent {
  const { id, conversation_id, seq, position, type, actor, agent_id, run_id, parent_run_id, caused_by } = row;
  const place = { id, conversation_id, seq, position, type, actor, agent_id, run_id, parent_run_id, caused_by };
  const before = JSON.stringify(place);
  const after = JSON.stringify(timesOf(row));
  return { position, type, json: `${before.slice(0, -1)},"payload":${row.payload},${after.slice(1)}` };
}

/** Null for most events: those of programs. */
function recorderOf(origin: string | null): Recorder {
  const recorder = RECORDERS.find((one) => one === (origin ?? "program"));
  if (!recorder) throw new Error(`The log has an event of ${origin}, which is nobody that writes into it`);
  return recorder;
}
