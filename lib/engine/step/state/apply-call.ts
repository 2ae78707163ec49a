import { isJsonObject, isSameJson, type Json, type JsonObject } from "../../../session/json/json.ts";
import type { CallPlace } from "../../engine.ts";
import { type nameOf, placeKey, placeOf, type RunCall } from "./run-call.ts";
import type { SteeringEvent } from "./run-event.ts";
import type { RunState } from "./run-state.ts";

type CallEvent = Extract<SteeringEvent, { type: `call.${string}` }>;

/** A call that started while its plan was still streaming (P20). */
export interface EarlyCall {
  /** The identity that its events carry. */
  name: ReturnType<typeof nameOf>;
  attempt: number;
  params: JsonObject;
  event_id: string;
}

/** Applies an event of a call: started, retried, waiting or ended (P21). */
export function applyCall(run: RunState, event: CallEvent): void {
  const { call_id, iteration = run.iteration, instance = "" } = event.payload;
  const place = { call_id, iteration, instance };
  const call = run.call(place);
  if (call) applyTo(run, call, event);
  else applyEarly(run, place, event);
}

function applyTo(run: RunState, call: RunCall, event: CallEvent): void {
  const { payload } = event;
  call.event_id = event.id;
  const isOther = !isSameAction(call, payload);
  if (isJsonObject(payload.params)) call.params = payload.params;
  call.tool = payload.tool;
  switch (event.type) {
    case "call.started":
      call.attempt = payload.attempt ?? call.attempt + 1;
      call.confirmation_id = payload.confirmation_id ?? call.confirmation_id;
      if (isOther) call.first_attempt = call.attempt;
      call.retry = null;
      if (call.plan.delegate !== null && call.tool === call.plan.tool) run.use.delegates += 1;
      return run.setCallStatus(call, "running");
    case "call.retried":
      call.retries += 1;
      call.retry = retryIn(payload.delay_ms ?? 0, event.occurred_at ?? "");
      return;
    case "call.parked":
      call.confirmation_id = payload.confirmation_id ?? null;
      return run.setCallStatus(call, "parked");
    case "call.failed":
      call.error = payload.error ?? null;
      call.handled = payload.handled ?? false;
      return run.setCallStatus(call, "failed");
    case "call.succeeded":
      call.output = payload.output;
      return run.setCallStatus(call, "succeeded");
    case "call.superseded":
      call.output = payload.output;
      call.reason = payload.reason ?? null;
      return run.setCallStatus(call, "superseded");
    case "call.skipped":
    case "call.blocked":
    case "call.denied":
    case "call.cancelled":
      call.reason = payload.reason ?? null;
      call.planned = payload.planned ?? false;
      return run.setCallStatus(call, WITHOUT_RESULT[event.type]);
    default:
      return event satisfies never;
  }
}

/** The final status of a call without a result, by event type. */
const WITHOUT_RESULT = {
  "call.skipped": "skipped",
  "call.blocked": "blocked",
  "call.denied": "denied",
  "call.cancelled": "cancelled",
} as const;

/** Whether this is a retry with the same tool and parameters. */
function isSameAction(
  { attempt, tool, params }: RunCall,
  action: { tool: string; params?: Json | undefined },
): boolean {
  return attempt > 0 && tool === action.tool && params !== null && isSameJson(params, action.params ?? null);
}

/** A call whose plan is still streaming (P20). */
function applyEarly(run: RunState, place: CallPlace, { id, type, payload }: CallEvent): void {
  const key = placeKey(place);
  if (type !== "call.started") {
    run.early.delete(key);
    run.dropped.set(key, (run.dropped.get(key) ?? 0) + 1);
    return;
  }
  const params: JsonObject = isJsonObject(payload.params) ? payload.params : {};
  const name = { ...placeOf(place), tool: payload.tool };
  run.early.set(key, { name, attempt: payload.attempt ?? 1, params, event_id: id });
}

/** A call of a valid plan is already running if it started early; attempts for a plan that never arrived still count. */
export function adoptEarly(run: RunState, call: RunCall): void {
  const key = placeKey(call);
  const early = run.early.get(key);
  call.attempt = early?.attempt ?? run.dropped.get(key) ?? 0;
  if (!early) return;
  call.first_attempt = early.attempt;
  call.params = early.params;
  call.event_id = early.event_id;
  run.setCallStatus(call, "running");
}

function retryIn(delay: number, since: string): { at: number; delay: number } {
  return { at: Date.parse(since) + delay, delay };
}
