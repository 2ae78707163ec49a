import type { AskedCall, CallAnswer } from "../../engine.ts";
import { Refused } from "../../errors.ts";
import type { Run } from "../run.ts";
import type { RunCall } from "../state/run-call.ts";
import { failCall, finishCall } from "./finish-call.ts";

/**
 * Leaves a started call to the program that started the turn, which reads it from the log and sends its result in a later
 * request. Meanwhile it holds no slot, and the run waits.
 */
export function leaveToCaller(run: Run, call: RunCall): void {
  if (run.parent === null) run.track(call, "caller", { waiting: true });
  else failCall(run, call, { code: "tool_of_caller", message: `Only the agent itself can call ${call.tool}` });
}

/** The calls that wait for results. */
export function askedOf(run: Run): AskedCall[] {
  return [...callersOf(run)].map(({ call_id, tool, params }) => ({ call_id, tool, params: params ?? {} }));
}

/** Results have come. Throws `Refused` for a call that does not wait for one; then none is taken. */
export function takeAnswers(run: Run, answers: readonly CallAnswer[], actor: string): void {
  const waiting = new Map([...callersOf(run)].map((call) => [call.call_id, call]));
  const taken = answers.map(({ call_id, result }) => {
    const call = waiting.get(call_id);
    waiting.delete(call_id);
    if (!call || run.termination !== null) throw new Refused(`The call ${call_id} does not wait for a result`);
    return { call, result };
  });
  for (const { call, result } of taken) {
    run.inFlight.delete(call);
    if (result.ok) finishCall(run, call, { value: result.value, chosen: null, state: undefined }, { actor });
    else failCall(run, call, result.error, { actor });
  }
}

function* callersOf(run: Run): Generator<RunCall> {
  for (const [call, { kind }] of run.inFlight) if (kind === "caller") yield call;
}
