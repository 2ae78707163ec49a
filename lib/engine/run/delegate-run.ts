import { randomUUIDv7 } from "node:crypto";
import { printContext, readContext } from "../../plan/context.ts";
import { scopedMessages } from "../../plan/scope.ts";
import { DEEPEST_RUN } from "../../plan/validate-delegates.ts";
import type { JsonObject } from "../../session/json.ts";
import type { Failure } from "../../session/session.ts";
import { DEFAULT_ITERATIONS } from "../ports.ts";
import type { DelegateDefinition } from "../tools/delegate.ts";
import { beginRun } from "./begin-run.ts";
import { describeFaults } from "./describe-faults.ts";
import { failCall, finishCall } from "./finish-call.ts";
import type { InFlightCall } from "./in-flight.ts";
import { REASONS } from "./reasons.ts";
import { releaseSlot } from "./release-slot.ts";
import { requestTermination } from "./request-termination.ts";
import { nameOf, type RunCall } from "./run-call.ts";
import { RunState } from "./run-state.ts";
import type { Runner } from "./runner.ts";

/** Has a delegate carry a started call out, in a run of its own (P27). Tells whether it is under way; else it has failed. */
export function startDelegate(run: Runner, call: RunCall, name: string, params: JsonObject): boolean {
  const definition = run.tools.definition(name);
  const refusal = refusalOf(run, name, definition);
  if (refusal || !definition) {
    failCall(run, call, refusal ?? unknownDelegate(name));
    return false;
  }
  const context = cleanRoom(run, call, definition, params);
  if (!context.ok) {
    const message = describeFaults(`What is passed on to ${name} cannot be read`, context.faults);
    failCall(run, call, { code: "invalid_context", message });
    return false;
  }
  const live: InFlightCall = { kind: "delegate", waiting: false, child: null };
  run.inFlight.set(call, live);
  const { settings, conversation_id, agent_id, id: parent_run_id, use, memory } = run.state;
  run.after(() => {
    if (run.inFlight.get(call) !== live) return;
    // Nothing begins any more (D9): the call ends with the run.
    if (run.termination?.escalated) {
      releaseSlot(run, call);
      return run.post(() => undefined);
    }
    const state = new RunState({ id: randomUUIDv7(), conversation_id, parent_run_id, agent_id }, use, memory);
    const child = run.engine.open(state, run.tools, { run, call });
    live.child = child;
    const { plan, output, output_schema, max_iterations } = definition;
    const begin = () =>
      beginRun(child, {
        isNewConversation: false,
        mode: settings.mode,
        confirm: settings.confirm,
        concurrency: settings.concurrency,
        max_iterations: max_iterations ?? DEFAULT_ITERATIONS,
        // The top-level run's holds for all of them.
        budget: {},
        context: context.context,
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
        delegate: { name, call, input: params, caused_by: call.event_id },
      });
    child.post(begin);
  });
  return true;
}

/** A delegate's run has ended: so has its call (P27). */
export function delegateEnded(run: Runner, call: RunCall, child: Runner): void {
  if (run.inFlight.get(call)?.child !== child) return;
  releaseSlot(run, call);
  giveOutcome(run, call, child.state);
}

/** What a call gets of its delegate's run. */
function giveOutcome(run: Runner, call: RunCall, child: RunState): void {
  const { status, error, output, states, latest } = child;
  const telling = { caused_by: latest };
  if (child.alerted && status === "finished") {
    run.log.emit("call.cancelled", { ...nameOf(call), reason: REASONS.escalated() }, telling);
    return;
  }
  if (status === "finished") {
    const value = structuredClone(output ?? null);
    const state = structuredClone(states.get(""));
    return finishCall(run, call, { value, chosen: null, state }, telling);
  }
  const isSpent = error?.code === "budget_spent";
  if (status === "cancelled" || isSpent) {
    const reason = error?.message ?? REASONS.delegateCancelled();
    run.log.emit("call.cancelled", { ...nameOf(call), reason }, telling);
    // The budget is the top-level run's, which may have been cut off before it could end as well.
    if (isSpent) requestTermination(run.root, { reason, error, actor: "system", gently: true });
    return;
  }
  failCall(run, call, error ?? { code: "delegate_failed", message: "Its delegate's run failed" }, telling);
}

/** The clean room: its own messages, then what the scopes let through, then the parameters as its input (P27, P28). */
function cleanRoom(run: Runner, call: RunCall, { context }: DelegateDefinition, params: JsonObject) {
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

function refusalOf(run: Runner, name: string, definition: DelegateDefinition | undefined): Failure | null {
  if (!definition) return unknownDelegate(name);
  const { lineage } = run;
  if (lineage.length >= DEEPEST_RUN)
    return {
      code: "too_deep",
      message: `${name} would lie ${lineage.length + 1} delegates deep; ${DEEPEST_RUN} is the limit`,
    };
  if (run.state.use.delegates > MOST_DELEGATES)
    return {
      code: "too_many_delegates",
      message: `The run has had ${MOST_DELEGATES} runs of delegates, which is the limit; let them call fewer of one another`,
    };
  const entered = lineage.filter((each) => each === name).length;
  if (name === "anonymous" || entered <= (definition.max_depth ?? 0)) return null;
  return {
    code: "too_deep",
    message: `${name} reaches itself ${entered} times; its max_depth allows ${definition.max_depth ?? 0}`,
  };
}

/** Delegates that call several each multiply with every level; 13,000 of their runs took 2 GB of memory. */
const MOST_DELEGATES = 2_000;

function unknownDelegate(name: string): Failure {
  return { code: "unknown_delegate", message: `There is no delegate ${name}` };
}
