import type { Json } from "../../../session/json/json.ts";
import { REASONS } from "../reasons.ts";
import type { Run } from "../run.ts";
import { isCallError } from "../state/planning-input.ts";
import type { RunCall } from "../state/run-call.ts";
import { direct, handsOver } from "./direct.ts";
import { failRun, finishRun } from "./end-run.ts";
import { nextIteration } from "./outer-loop.ts";
import { checkOutput, resolveOutput } from "./output.ts";
import { rejectPlan } from "./propose.ts";

/** Calls that an error lists; more would not help. */
const NAMED = 3;

/** All calls of an iteration have ended: a given plan's run ends (P21), a model continues (P19). */
export function endIteration(run: Run): void {
  if (run.state.by_model) endAsked(run);
  else endGiven(run);
}

function endGiven(run: Run): void {
  const { state } = run;
  const lost = [...state.calls()].filter((call) => isFailed(call) || call.status === "blocked");
  if (lost.length > 0) return failRun(run, { code: "calls_failed", message: describeLost(lost) }, lost[0]?.event_id);
  const template = state.proposed?.output;
  const given =
    template === undefined && state.settings.delegate !== null
      ? checkOutput(run, finalState(run))
      : resolveOutput(run, template);
  if (given.ok) finishRun(run, given.output);
  else failRun(run, given.error);
}

/** Whether the run ends: no calls proposed, an output with no failed call (P19), or handed over (D5). */
function endAsked(run: Run): void {
  const { state } = run;
  if ([...state.calls()].some((call) => handsOver(run, call))) return direct(run, state.latest);
  const isRead = state.rejection === null && !state.notes.some(isCallError);
  const { calls = [], output } = state.proposed ?? {};
  const isLast = calls.length === 0 || (output !== undefined && ![...state.calls()].some(isLost));
  if (isRead && isLast) {
    const given = resolveOutput(run, output);
    if (given.ok && state.settings.directed) return direct(run, state.latest);
    if (given.ok) return finishRun(run, given.output);
    rejectPlan(run, [{ call: null, error: { ...given.error } }], given.error.message, state.latest);
  }
  nextIteration(run, state.latest);
}

/** A delegate's default output: its state, or that of each instance (P27). */
function finalState(run: Run): Json {
  const { instances } = run.state;
  const stateOf = (instance: string) => structuredClone(run.state.state(instance) ?? {});
  return instances[0] === "" ? stateOf("") : Object.fromEntries(instances.map((each) => [each, stateOf(each)]));
}

function isFailed({ status, handled }: RunCall): boolean {
  return status === "failed" && !handled;
}

function isLost(call: RunCall): boolean {
  return isFailed(call) || call.status === "blocked" || call.status === "denied" || call.status === "cancelled";
}

function describeLost(lost: readonly RunCall[]): string {
  const told = lost.slice(0, NAMED).map(({ call_id, instance, error, reason }) => {
    const name = instance === "" ? call_id : `${call_id} (${instance})`;
    return `${name}: ${error?.message ?? reason ?? "it is blocked"}`;
  });
  const more = lost.length > NAMED ? `; and ${lost.length - NAMED} more` : "";
  return REASONS.callsLost(lost.length, `${told.join("; ")}${more}`);
}
