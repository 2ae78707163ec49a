import { printContext, readContext } from "../../../plan/context.ts";
import type { Context } from "../../../plan/message.ts";
import { scopedMessages } from "../../../plan/scope.ts";
import { DEEPEST_RUN } from "../../../plan/validate/validate-delegates.ts";
import type { JsonObject } from "../../../session/json/json.ts";
import type { Failure } from "../../../session/session.ts";
import type { CallPlace } from "../../engine.ts";
import { DEFAULT_ITERATIONS } from "../../ports.ts";
import type { DelegateDefinition } from "../../tools/delegate.ts";
import type { Beginning } from "../course/begin-run.ts";
import { requestTermination } from "../course/request-termination.ts";
import { goOn } from "../course/resume-waiting.ts";
import { describeFaults } from "../describe-faults.ts";
import { REASONS } from "../reasons.ts";
import { Run } from "../run.ts";
import type { InFlightCall } from "../state/in-flight.ts";
import { keyOf, nameOf, type RunCall } from "../state/run-call.ts";
import { RunState } from "../state/run-state.ts";
import { failCall, finishCall } from "./finish-call.ts";
import { releaseSlot } from "./release-slot.ts";

/** Has a delegate carry a started call out, in a run of its own (P27). Tells whether it is under way; else it has failed. */
export function startDelegate(run: Run, call: RunCall, name: string, params: JsonObject): boolean {
  const definition = run.tools.definition(name);
  const refusal = refusalOf(run, name, definition);
  if (refusal || !definition) {
    failCall(run, call, refusal ?? unknownDelegate(name));
    return false;
  }
  const context = cleanRoom(run, call, definition, params);
  if (!context.ok) {
    const message = describeFaults(`The context for ${name} is invalid`, context.faults);
    failCall(run, call, { code: "invalid_context", message });
    return false;
  }
  const ticket = run.track(call, "delegate");
  run.opening.set(ticket, { call, definition, context: context.context, input: params });
  run.after({ kind: "send", to: run, input: { kind: "open_delegate", ticket } });
  return true;
}

/** What a delegate's run begins with. */
export interface DelegateStart {
  call: RunCall;
  definition: DelegateDefinition;
  context: Context;
  input: JsonObject;
}

/** The start of a delegate's call is on disk: its run is opened, unless the call has ended meanwhile. */
export function openDelegate(run: Run, ticket: number): void {
  const start = run.opening.get(ticket);
  run.opening.delete(ticket);
  if (!start || !run.isLive(start.call, ticket)) return;
  const { call, definition, context, input } = start;
  // Nothing begins any more (D9): the call ends with the run.
  if (run.termination?.escalated) return releaseSlot(run, call);
  const { settings, conversation_id, agent_id, id: parent_run_id, use, memory } = run.state;
  const identity = { id: run.tree.ids.next(), conversation_id, parent_run_id, agent_id };
  const child = new Run(run.tree, new RunState(identity, use, memory), run.tools, { run, call });
  const live = run.inFlight.get(call);
  if (live) live.child = child;
  const { name, plan, output, output_schema, max_iterations } = definition;
  const beginning: Beginning = {
    isNewConversation: false,
    mode: settings.mode,
    confirm: settings.confirm,
    concurrency: settings.concurrency,
    max_iterations: max_iterations ?? DEFAULT_ITERATIONS,
    // The top-level run's holds for all of them.
    budget: {},
    context,
    tools: [],
    allowed_tools: definition.tools ?? null,
    output_schema: output_schema ?? null,
    user_id: settings.user_id,
    user_scope: settings.user_scope,
    simulated: settings.simulated,
    answers: null,
    instructions: null,
    directed: false,
    history: null,
    timezone: null,
    household_id: null,
    locale: settings.locale,
    message: null,
    plan: plan ? { calls: plan, output, checked: null } : null,
    delegate: { name, call: keyOf(call), input, caused_by: call.event_id },
  };
  run.atOnce({ kind: "open_run", run: child, input: { kind: "begin", beginning, queued: false } });
}

/** Its delegate's run waits for persons, or goes on again. */
export function delegateWaits(run: Run, place: CallPlace, runId: string, waiting: boolean): void {
  const live = liveDelegate(run, place, runId);
  if (!live?.child || live.waiting === waiting) return;
  live.waiting = waiting;
  if (waiting) return run.slots.release();
  run.slots.retake();
  goOn(run, live.child.state.latest);
}

/** A delegate's run has ended: so has its call (P27). */
export function delegateEnded(run: Run, place: CallPlace, runId: string): void {
  const child = liveDelegate(run, place, runId)?.child;
  if (!child?.parent) return;
  const { call } = child.parent;
  releaseSlot(run, call);
  giveOutcome(run, call, child.state);
}

/** What goes on for a call that this run carries out. */
function liveDelegate(run: Run, place: CallPlace, runId: string): InFlightCall | null {
  const call = run.state.call(place);
  const live = call && run.inFlight.get(call);
  return live?.child?.id === runId ? live : null;
}

/** What a call gets of its delegate's run. */
function giveOutcome(run: Run, call: RunCall, child: RunState): void {
  const { status, error, output, states, latest } = child;
  const origin = { caused_by: latest };
  if (child.alerted && status === "finished") {
    run.log.emit("call.cancelled", { ...nameOf(call), reason: REASONS.escalated() }, origin);
    return;
  }
  if (status === "finished") {
    const value = structuredClone(output ?? null);
    const state = structuredClone(states.get(""));
    return finishCall(run, call, { value, chosen: null, state }, origin);
  }
  const isSpent = error?.code === "budget_spent";
  if (status === "cancelled" || isSpent) {
    const reason = error?.message ?? REASONS.delegateCancelled();
    run.log.emit("call.cancelled", { ...nameOf(call), reason }, origin);
    // The budget is the top-level run's, which may have been cut off before it could end as well.
    if (isSpent) requestTermination(run.root, { reason, error, actor: "system", gently: true });
    return;
  }
  failCall(run, call, error ?? { code: "delegate_failed", message: "The delegate's run failed" }, origin);
}

/** The clean room: its own messages, then what the scopes let through, then the parameters as its input (P27, P28). */
function cleanRoom(run: Run, call: RunCall, { context }: DelegateDefinition, params: JsonObject) {
  const scopes = run.state.context;
  const { instance } = call;
  const scoped = scopedMessages(scopes, instance, call.plan.scopes, () => run.state.state(instance));
  const input = structuredClone(params);
  return readContext([
    ...context,
    ...printContext({ data: scoped, text: [] }),
    { type: "data", kind: "input", data: input },
  ]);
}

function refusalOf(run: Run, name: string, definition: DelegateDefinition | undefined): Failure | null {
  if (!definition) return unknownDelegate(name);
  const { lineage } = run;
  if (lineage.length >= DEEPEST_RUN)
    return {
      code: "too_deep",
      message: `${name} would be nested ${lineage.length + 1} levels deep; the limit is ${DEEPEST_RUN}`,
    };
  if (run.state.use.delegates > MOST_DELEGATES)
    return {
      code: "too_many_delegates",
      message: `The run has reached the limit of ${MOST_DELEGATES} delegate runs; reduce the number of delegate calls`,
    };
  const entered = lineage.filter((each) => each === name).length;
  if (name === "anonymous" || entered <= (definition.max_depth ?? 0)) return null;
  return {
    code: "too_deep",
    message: `${name} calls itself ${entered} times; its max_depth allows ${definition.max_depth ?? 0}`,
  };
}

/** Delegates that call several each multiply with every level; 13,000 of their runs took 2 GB of memory. */
const MOST_DELEGATES = 2_000;

function unknownDelegate(name: string): Failure {
  return { code: "unknown_delegate", message: `There is no delegate ${name}` };
}
