import type { PlanCall } from "../../../plan/call.ts";
import type { OutputPath } from "../../../plan/output-path.ts";
import type { Json, JsonObject } from "../../../session/json/json.ts";
import type { CallStatus, Failure } from "../../../session/session.ts";
import type { CallPlace } from "../../engine.ts";

/** A call of a run in one instance. Changed only by applying events. */
export interface RunCall extends CallPlace {
  /** As in the plan, with its id and its tool's defaults (P2). */
  readonly json: JsonObject;
  /** The same, parsed; its output path has all known writes (P9, P27). */
  readonly plan: PlanCall;
  /** Its own output path: what is written when it succeeds. */
  readonly own: OutputPath | null;
  /** Paths that its delegate writes back (P27). */
  readonly back: readonly string[];
  /** The tool that executes it: its own, unless an operator approved another call. */
  tool: string;
  status: CallStatus;
  /** Attempts so far. */
  attempt: number;
  /** The first attempt of this action: an operator may have edited it since an earlier one. */
  first_attempt: number;
  /** Retries since it was last planned. */
  retries: number;
  /** When the next attempt is due, in epoch ms, and the whole delay; null if none is. */
  retry: { at: number; delay: number } | null;
  /** Resolved parameters; null before it is ready. */
  params: JsonObject | null;
  output: Json | undefined;
  error: Failure | null;
  /** Its error was handled by its error alternative (P10). */
  handled: boolean;
  /** It was skipped because it is only planned, not executed (M13). */
  planned: boolean;
  reason: string | null;
  /** The confirmation that it waits for, or last waited for. */
  confirmation_id: string | null;
  /** The event that started or ended it: the cause of what follows. */
  event_id: string | null;
}

/** A call of which only the plan is known. */
export function plannedCall(
  place: CallPlace,
  json: JsonObject,
  plan: PlanCall,
  known: { own: OutputPath | null; back: readonly string[] },
): RunCall {
  return {
    ...place,
    ...known,
    json,
    plan,
    tool: plan.tool,
    status: "planned",
    attempt: 0,
    first_attempt: 1,
    retries: 0,
    retry: null,
    params: null,
    output: undefined,
    error: null,
    handled: false,
    planned: false,
    reason: null,
    confirmation_id: null,
    event_id: null,
  };
}

/** The fields by which events identify a call; without `instance` if there is none. */
export function nameOf(call: RunCall): { call_id: string; iteration: number; instance?: string; tool: string } {
  return { ...placeOf(call), tool: call.tool };
}

/** The same without the tool. */
export function placeOf({ call_id, iteration, instance }: CallPlace): {
  call_id: string;
  iteration: number;
  instance?: string;
} {
  return instance === "" ? { call_id, iteration } : { call_id, iteration, instance };
}

/** A call's identity, as data. */
export function keyOf({ call_id, iteration, instance }: CallPlace): CallPlace {
  return { call_id, iteration, instance };
}

/** The identity of a call among those of its run (P19b). */
export function placeKey({ iteration, instance, call_id }: CallPlace): string {
  return `${iteration}\u0000${earlierKey({ instance, call_id })}`;
}

/** What a call shares with calls of other iterations that it may repeat (P19b). */
export function earlierKey({ instance, call_id }: Pick<CallPlace, "instance" | "call_id">): string {
  return `${instance}\u0000${call_id}`;
}
