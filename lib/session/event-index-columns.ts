import { DEFINITIONS } from "./definitions.ts";
import { type EventOf, isKnown, type SessionEvent } from "./event.ts";
import type { EventType } from "./kinds.ts";

/** What the timeline needs of a payload. The database keeps it in columns of its own. */
export interface EventIndexColumns {
  call_id: string | null;
  iteration: number | null;
  instance: string | null;
  tool: string | null;
  /** Something failed by it: see `failures.ts` for whether that is an error of its own. */
  error: boolean;
}

/** What else the timeline needs of a few payloads. The database takes it from them when it is asked. */
interface RunColumns {
  /** Who speaks from an iteration on (D1). */
  speaker: string | null;
  /** Of a delegate's run that begins: the call of its parent that it carries out (P27). */
  parent_call: string | null;
  parent_instance: string | null;
}

/** An event without its payload: all that the timeline is made of. `time` is epoch ms. */
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

/** The slim part of an event, as its payload has it: what it leaves out, `timeline-rows.ts` works out in order. */
export function indexColumnsOf(event: SessionEvent): EventIndexColumns {
  return isKnown(event) ? columnsOf(event) : NOTHING;
}

function columnsOf<T extends EventType>(event: EventOf<T>): EventIndexColumns {
  const { columns } = DEFINITIONS[event.type];
  // Read only where it is needed: the payload may be text that is not parsed yet.
  return columns === null ? NOTHING : { ...NOTHING, ...columns(event.payload) };
}

/** The step that an event is. */
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
