import type { SessionEvent } from "./event.ts";
import { isJsonObject, type JsonObject } from "./json.ts";
import { kindOf } from "./kinds.ts";

/**
 * The answer of `GET /api/conversations/:id/timeline`: one entry a step, in columns, with repeated texts kept once.
 * `actor`, `agent`, `run`, `call` and `type` are indexes into the tables; -1 is none.
 */
export interface TimelineColumns {
  after: number;
  last: number;
  tables: {
    type: string[];
    actor: string[];
    agent: string[];
    run: string[];
    /** Each call by its full identity, with its tool. */
    call: { run: number; iteration: number; instance: string; id: string; tool: string }[];
  };
  seq: number[];
  /** Epoch ms; null where the source tells no time. */
  time: (number | null)[];
  type: number[];
  actor: number[];
  /** The agent whose step it is: see `agentOfStep`. */
  agent: number[];
  run: number[];
  call: number[];
  /** The seq of the event that caused it; 0 is none. */
  cause: number[];
  /** 1 where the step is an error. */
  error: number[];
}

/** One step, as the timeline draws it. */
export interface TimelineRow {
  seq: number;
  time: number | null;
  type: string;
  actor: string | null;
  agent: string | null;
  run: string | null;
  call: { run: string | null; iteration: number; instance: string; id: string; tool: string } | null;
  cause: number | null;
  error: boolean;
}

/** All steps of a session, index = seq - 1. */
export type TimelineRows = readonly TimelineRow[];

/** Turns the columns of the API into rows; calls of the table are shared by the rows that name them. */
export function decodeTimeline(columns: TimelineColumns): TimelineRow[] {
  const { tables } = columns;
  const calls = tables.call.map(({ run, ...call }) => ({ run: tables.run[run] ?? null, ...call }));
  return columns.seq.map((seq, i) => ({
    seq,
    time: columns.time[i] ?? null,
    type: tables.type[columns.type[i] ?? -1] ?? "",
    actor: tables.actor[columns.actor[i] ?? -1] ?? null,
    agent: tables.agent[columns.agent[i] ?? -1] ?? null,
    run: tables.run[columns.run[i] ?? -1] ?? null,
    call: calls[columns.call[i] ?? -1] ?? null,
    cause: columns.cause[i] || null,
    error: columns.error[i] === 1,
  }));
}

/** What the rows before it tell about an event that has just arrived. */
export interface Earlier {
  /** The step of an event's id; null where it is unknown. */
  seqOf(eventId: string): number | null;
  /** The iteration that a run was in before this event: a call that names none belongs to it. */
  iterationOf(event: SessionEvent): number;
  /** Who spoke in its run before this event (D1); null where nobody is told. */
  speakerOf(event: SessionEvent): string | null;
}

/** Makes the row of an event that has just arrived, as the API will tell it. */
export function rowOf(event: SessionEvent, earlier: Earlier): TimelineRow {
  const at = event.occurred_at;
  return {
    seq: event.seq,
    time: at === null ? null : Date.parse(at),
    type: event.type,
    actor: event.actor,
    agent: agentOfStep({ ...event, speaker: speakerNamedBy(event) }, earlier.speakerOf(event)),
    run: event.run_id,
    call: callOf(event, earlier),
    cause: event.caused_by === null ? null : earlier.seqOf(event.caused_by),
    error: isErrorStep(event.type),
  };
}

/**
 * Whose step an event is: that of the speaker it names (D1), of the agent it belongs to, of the one that speaks in its
 * run by then, or of the agent that its actor is. Null where nobody is told.
 */
export function agentOfStep(
  { speaker, agent_id, actor }: { speaker: string | null; agent_id: string | null; actor: string | null },
  speaking: string | null,
): string | null {
  return speaker ?? agent_id ?? speaking ?? (actor?.startsWith(AGENT) ? actor.slice(AGENT.length) : null);
}

/** What the actor of an agent's own steps begins with. */
const AGENT = "agent:";

function speakerNamedBy({ type, payload }: SessionEvent): string | null {
  if (type !== "run.iteration" || !isJsonObject(payload) || !isJsonObject(payload.speaker)) return null;
  return typeof payload.speaker.agent_id === "string" ? payload.speaker.agent_id : null;
}

/** Tells whether a step went wrong: something failed or was rejected, a try did not succeed, or a manager was called. */
export function isErrorStep(type: string): boolean {
  return kindOf(type) === "error";
}

/** The call that a row names: calls themselves, and what is said about one. A run's `call_id` is its parent's. */
function callOf(event: SessionEvent, { iterationOf }: Earlier): TimelineRow["call"] {
  const { payload } = event;
  if (!isJsonObject(payload) || typeof payload.call_id !== "string" || event.type.startsWith("run.")) return null;
  return {
    run: event.run_id,
    iteration: typeof payload.iteration === "number" ? payload.iteration : iterationOf(event),
    instance: typeof payload.instance === "string" ? payload.instance : "",
    id: payload.call_id,
    tool: toolOf(payload),
  };
}

function toolOf(payload: JsonObject): string {
  if (typeof payload.tool === "string") return payload.tool;
  return isJsonObject(payload.action) && typeof payload.action.method === "string" ? payload.action.method : "";
}
