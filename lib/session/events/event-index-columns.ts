import { type EventOf, isKnown, type SessionEvent } from "../event.ts";
import { DEFINITIONS } from "./definitions.ts";
import type { EventType } from "./kinds.ts";

/** The fields of a payload for the timeline, which the database stores in columns. */
export interface EventIndexColumns {
  call_id: string | null;
  iteration: number | null;
  instance: string | null;
  tool: string | null;
  /** It records a failure: `failures.ts` decides whether it counts as an error. */
  error: boolean;
}

/** Further fields of a few payloads for the timeline, extracted by the database on request. */
interface RunColumns {
  /** The agent that speaks from an iteration on (D1). */
  speaker: string | null;
  /** The parent's call that a delegate's run belongs to (P27). */
  parent_call: string | null;
  parent_instance: string | null;
}

/** An event without its payload, for the timeline. `time` is epoch ms. */
export interface Step extends EventIndexColumns, RunColumns {
  seq: number;
  id: string;
  time: number | null;
  type: string;
  actor: string | null;
  agent_id: string | null;
  run_id: string | null;
  parent_run_id: string | null;
  caused_by: string | null;
}

const NOTHING: EventIndexColumns = { call_id: null, iteration: null, instance: null, tool: null, error: false };

/** The columns of an event from its payload; `timeline-rows.ts` derives the rest in order. */
export function indexColumnsOf(event: SessionEvent): EventIndexColumns {
  return isKnown(event) ? columnsOf(event) : NOTHING;
}

function columnsOf<T extends EventType>(event: EventOf<T>): EventIndexColumns {
  const { columns } = DEFINITIONS[event.type];
  // Read only where it is needed: the payload may be text that is not parsed yet.
  return columns === null ? NOTHING : { ...NOTHING, ...columns(event.payload) };
}

/** An event as a step. */
export function stepOf(event: SessionEvent): Step {
  return stepWith(event, indexColumnsOf(event));
}

/** The same, by columns that are known already. */
export function stepWith(event: SessionEvent, columns: EventIndexColumns): Step {
  const { seq, id, type, actor, agent_id, run_id, parent_run_id, caused_by, occurred_at } = event;
  const { call_id, iteration, instance, tool, error } = columns;
  const { speaker, parent_call, parent_instance } = toldBy(event);
  const time = occurred_at === null ? null : Date.parse(occurred_at);
  return {
    ...{ seq, id, time, type, actor, agent_id, run_id, parent_run_id, caused_by },
    ...{ call_id, iteration, instance, tool, error, speaker, parent_call, parent_instance },
  };
}

const TOLD_NOTHING: RunColumns = { speaker: null, parent_call: null, parent_instance: null };

function toldBy(event: SessionEvent): RunColumns {
  const told = TOLD_NOTHING;
  if (!isKnown(event)) return told;
  if (event.type === "run.iteration") return { ...told, speaker: event.payload.speaker?.agent_id ?? null };
  if (event.type !== "run.started") return told;
  const { call_id, instance } = event.payload;
  return { ...told, parent_call: call_id ?? null, parent_instance: instance ?? null };
}
