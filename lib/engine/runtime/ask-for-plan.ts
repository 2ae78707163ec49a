import type { Context } from "../../plan/message.ts";
import { UnusablePrompt } from "../errors.ts";
import type { Planner, Proposal, ProposeInput } from "../planning/port.ts";
import type { EffectOf } from "../step/effect.ts";
import type { NoPlan } from "../step/input.ts";
import { contextNow } from "../step/state/context-now.ts";
import { errorsOf, outcomesOf } from "../step/state/planning-input.ts";
import { type Draft, openDraft } from "./draft.ts";
import { checkMemory, memoryForModel } from "./keep-memory.ts";
import { checkAllowance, requestedWith, whyNoAnswer } from "./model-request.ts";
import { type AgentPrompt, fillPrompt } from "./prompting.ts";
import type { Runner } from "./runner.ts";

/** Asks the model for an iteration's calls. The request is on disk before it is sent (P23). */
export function askForPlan(run: Runner, { ticket }: EffectOf<"ask_for_plan">): void {
  const { engine, state } = run;
  const planner = state.settings.answers === null ? engine.planner : engine.talker;
  if (!planner) throw new Error(`There is no model to ask for the plan of the run ${state.id}`);
  const controller = new AbortController();
  const draft = openDraft(run);
  run.onStop(ticket, (reason) => {
    controller.abort(reason);
    draft.end();
  });
  // The draft ends before the log has the result.
  const asked = propose(run, planner, { ticket, draft, signal: controller.signal }).finally(draft.end);
  asked.then(
    ({ solution, errors, answer }) => {
      run.offStop(ticket);
      run.post({ kind: "plan_came", ticket, proposal: { solution, errors, answer } });
    },
    (thrown: unknown) => {
      run.offStop(ticket);
      run.post({ kind: "plan_failed", ticket, why: whyNoPlan(thrown) });
    },
  );
}

/** Nothing changes the state while the model is asked. */
async function propose(
  run: Runner,
  planner: Planner,
  { ticket, draft, signal }: { ticket: number; draft: Draft; signal: AbortSignal },
): Promise<Proposal> {
  await checkAllowance(run);
  const warnings = checkMemory(run);
  const context = memoryForModel(run, contextNow(run.state));
  const agent = await fillPrompt(run, context, warnings);
  const input = inputOf(run, context, agent);
  return planner.propose(input, {
    onRequest: (request) =>
      run.ask(() => {
        // The run may have ended while the history was read.
        signal.throwIfAborted();
        return { kind: "plan_requested", ticket, requested: requestedWith(run, request, agent, null), warnings };
      }),
    onCall: (call) => run.post({ kind: "call_streamed", ticket, call, context: input.context }),
    onText: draft.add,
    signal,
  });
}

function inputOf({ run, state }: Runner, { data, text }: Context, agent: AgentPrompt | null): ProposeInput {
  const { tools } = run;
  const { answers, output_schema } = state.settings;
  const { filled, chain = null } = agent ?? {};
  // A continued chain has its instructions already.
  const own = chain?.previous_response_id == null ? text : [];
  return {
    instructions: filled?.rendered.prompt ?? null,
    context: { data, text: [...own, ...(filled?.said ?? [])] },
    told: filled?.told ?? [],
    tools: tools.list(),
    delegates: tools.delegates().map(({ name, description }) => ({ name, description })),
    output_schema,
    ask: answers === null ? "plan" : "text",
    previous: outcomesOf(state.last),
    errors: errorsOf(state.last),
    history: state.history,
    chain,
  };
}

function whyNoPlan(thrown: unknown): NoPlan {
  if (thrown instanceof UnusablePrompt) return { kind: "prompt", code: thrown.code, message: thrown.message };
  return whyNoAnswer(thrown);
}
