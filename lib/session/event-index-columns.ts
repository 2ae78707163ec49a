import { isKnown, type KnownEvent, type SessionEvent } from "./event.ts";

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

const NOTHING: Omit<EventIndexColumns, "error"> = { call_id: null, iteration: null, instance: null, tool: null };

/** The slim part of an event, as its payload has it: what it leaves out, `timeline-rows.ts` works out in order. */
export function indexColumnsOf(event: SessionEvent): EventIndexColumns {
  return isKnown(event) ? { ...callOf(event), error: hasFailed(event) } : { ...NOTHING, error: false };
}

/** The step that an event is. */
export function stepOf(event: SessionEvent): Step {
  const { seq, id, type, actor, agent_id, run_id, parent_run_id, caused_by, occurred_at } = event;
  const time = occurred_at === null ? null : Date.parse(occurred_at);
  const bare = { seq, id, time, type, actor, agent_id, run_id, parent_run_id, caused_by };
  return { ...bare, ...indexColumnsOf(event), ...toldBy(event) };
}

function toldBy(event: SessionEvent): RunColumns {
  const told: RunColumns = { speaker: null, parent_call: null, parent_instance: null };
  if (!isKnown(event)) return told;
  if (event.type === "run.iteration") return { ...told, speaker: event.payload.speaker?.agent_id ?? null };
  if (event.type !== "run.started") return told;
  const { call_id, instance } = event.payload;
  return { ...told, parent_call: call_id ?? null, parent_instance: instance ?? null };
}

function callOf(event: KnownEvent): Omit<EventIndexColumns, "error"> {
  switch (event.type) {
    case "call.started":
    case "call.succeeded":
    case "call.failed":
    case "call.retried":
    case "call.skipped":
    case "call.blocked":
    case "call.parked":
    case "call.denied":
    case "call.superseded":
    case "call.cancelled":
      return named(event.payload, event.payload.tool);
    case "prompt.rendered":
    case "state.written":
    case "confirmation.requested":
    case "confirmation.approved":
    case "confirmation.denied":
    case "delegate.started":
    case "delegate.finished":
      return named(event.payload, null);
    case "run.started":
    case "run.iteration":
    case "plan.proposed":
      return { ...NOTHING, iteration: event.payload.iteration ?? null };
    default:
      return NOTHING;
  }
}

function named(
  payload: { call_id?: string; iteration?: number; instance?: string },
  tool: string | null,
): Omit<EventIndexColumns, "error"> {
  return {
    call_id: payload.call_id ?? null,
    iteration: payload.iteration ?? null,
    instance: payload.instance ?? null,
    tool,
  };
}

/** How a delegate ends that has not failed: a manager was called in it, or somebody stopped it. */
const STOPPED: ReadonlySet<string> = new Set(["escalated", "cancelled"]);

function hasFailed(event: KnownEvent): boolean {
  switch (event.type) {
    case "run.failed":
    case "model.failed":
    case "plan.rejected":
      return true;
    case "call.failed":
      return event.payload.handled !== true;
    case "delegate.finished":
      return event.payload.error !== undefined && !STOPPED.has(event.payload.error.code);
    default:
      return false;
  }
}
