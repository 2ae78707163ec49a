import { isKnown, type KnownEvent, type SessionEvent } from "../../lib/session/event.ts";
import { kindOf } from "../../lib/session/kinds.ts";

/** What the timeline needs of a payload, kept in columns of its own. */
export interface Slim {
  call_id: string | null;
  iteration: number | null;
  instance: string | null;
  tool: string | null;
  error: 0 | 1;
}

const NOTHING: Omit<Slim, "error"> = { call_id: null, iteration: null, instance: null, tool: null };

/** The slim columns of an event. They are as the payload has them: what it leaves out, the timeline works out in order. */
export function slimOf(event: SessionEvent): Slim {
  return isKnown(event) ? { ...callOf(event), error: isError(event) ? 1 : 0 } : { ...NOTHING, error: 0 };
}

function callOf(event: KnownEvent): Omit<Slim, "error"> {
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
): Omit<Slim, "error"> {
  return {
    call_id: payload.call_id ?? null,
    iteration: payload.iteration ?? null,
    instance: payload.instance ?? null,
    tool,
  };
}

/** What the timeline draws as a red cross, and stops at on the way to the next error. */
function isError(event: KnownEvent): boolean {
  return kindOf(event.type) === "error" || (event.type === "delegate.finished" && event.payload.error !== undefined);
}
