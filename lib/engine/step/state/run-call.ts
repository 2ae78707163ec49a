import type { PlanCall } from "../../../plan/call.ts";
import type { OutputPath } from "../../../plan/output-path.ts";
import type { Ending } from "../../../plan/schedule/progress.ts";
import type { Json, JsonObject } from "../../../session/json/json.ts";
import type { CallStatus, Failure } from "../../../session/session.ts";
import type { CallPlace } from "../../engine.ts";

/** A call of a run in one instance, as the run's events tell it. Changed only by applying them. */
export interface RunCall extends CallPlace {
  /** As it stands in the plan, with its id and what its tool prescribes (P2). */
  readonly json: JsonObject;
  /** The same, read; its output path names all that is known of its writes (P9, P27). */
  readonly plan: PlanCall;
  /** Its output path in its own words: what is written when it succeeds. */
  readonly own: OutputPath | null;
  /** Paths that its delegate writes back (P27). */
  readonly back: readonly string[];
  /** The tool that carries it out: its own, unless a person approved another call. */
  tool: string;
  status: CallStatus;
  /** Tries so far. */
  attempt: number;
  /** The first try of the same action: a person may have edited it since an earlier one. */
  first_attempt: number;
  /** Tries again since it stood as planned. */
  retries: number;
  /** When the next try is due, in epoch ms, and how long it waits in all; null when none is. */
  retry: { at: number; delay: number } | null;
  /** Resolved; null before its turn. */
  params: JsonObject | null;
  output: Json | undefined;
  error: Failure | null;
  /** Its failure went to its error alternative (P10). */
  handled: boolean;
  /** It was skipped, for it is only planned and not carried out (M13). */
  planned: boolean;
  reason: string | null;
  /** The confirmation that it waits for, or waited for last. */
  confirmation_id: string | null;
  /** The event that it started with or that ended it: what comes of it is caused by that. */
  event_id: string | null;
}

/** A call that nothing is known of but its plan. */
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

/** How an ended call counts for those who wait for it (P21); null while it has not ended. */
export function endingOf({ status, handled, planned }: RunCall): Ending | null {
  switch (status) {
    case "planned":
    case "running":
    case "parked":
      return null;
    case "succeeded":
    case "superseded":
      return "done";
    case "skipped":
      return planned ? "planned" : "skipped";
    case "failed":
      return handled ? "done" : "lost";
    case "blocked":
    case "denied":
    case "cancelled":
      return "lost";
    default:
      return status satisfies never;
  }
}

/** The words by which events name a call; the instance is left out where there is none. */
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

/** Which call it is, as data. */
export function keyOf({ call_id, iteration, instance }: CallPlace): CallPlace {
  return { call_id, iteration, instance };
}

/** The identity of a call among those of its run (P19b). */
export function placeKey({ iteration, instance, call_id }: CallPlace): string {
  return `${iteration}\u0000${earlierKey({ instance, call_id })}`;
}

/** What a call has in common with those of other iterations that it may repeat (P19b). */
export function earlierKey({ instance, call_id }: Pick<CallPlace, "instance" | "call_id">): string {
  return `${instance}\u0000${call_id}`;
}
