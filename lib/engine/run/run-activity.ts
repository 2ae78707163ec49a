import type { JsonObject } from "../../session/json.ts";
import type { Handler } from "../tools/tools.ts";
import { failCall, finishCall } from "./finish-call.ts";
import type { InFlightCall } from "./in-flight.ts";
import { launch, type Outcome } from "./launch.ts";
import { releaseSlot } from "./release-slot.ts";
import { mayRetry, waitBeforeRetry } from "./retry.ts";
import { nameOf, type RunCall } from "./run-call.ts";
import type { Runner } from "./runner.ts";

/** Has an activity carry a started call out: with a time limit, and again if it may be (P24). */
export function runActivity(run: Runner, call: RunCall, params: JsonObject, handler: Handler): void {
  const stop = launch(run, call, params, handler, (outcome) => settleTry(run, call, handler, outcome));
  run.inFlight.set(call, { kind: "activity", waiting: false, child: null, stop });
}

/** A try has come to its end: so has the call, or there is another try after a wait. */
export function settleTry(run: Runner, call: RunCall, handler: Handler, outcome: Outcome): void {
  releaseSlot(run, call);
  if (outcome.ok) return finishCall(run, call, outcome.result);
  const { code, message } = outcome.error;
  if (run.termination?.escalated || !mayRetry(handler, call.retries, outcome.error))
    return failCall(run, call, { code, message });
  const delay_ms = waitBeforeRetry(call.retries, outcome.error, run.engine.ports.random());
  const retried = { ...nameOf(call), attempt: call.attempt, error: { code, message }, delay_ms };
  run.log.emit("call.retried", retried, { actor: `tool:${call.tool}`, caused_by: call.event_id });
  waitToRetry(run, call, delay_ms);
}

/** Has a call tried again after a wait; it holds no slot meanwhile. */
export function waitToRetry(run: Runner, call: RunCall, delayMs: number): void {
  let callOff: (() => void) | null = null;
  const live: InFlightCall = { kind: "retry", waiting: false, child: null, stop: () => callOff?.() };
  run.inFlight.set(call, live);
  const retry = () => {
    if (run.inFlight.get(call) !== live || call.params === null) return;
    run.inFlight.delete(call);
    const { tool, params, event_id: caused_by } = call;
    run.slots.add(call.instance, { call, tool, params, confirmation_id: null, caused_by });
  };
  run.after(() => {
    if (run.inFlight.get(call) === live) callOff = run.engine.ports.clock.later(delayMs, () => run.post(retry));
  });
}
