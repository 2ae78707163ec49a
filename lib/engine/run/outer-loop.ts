import type { Context } from "../../plan/message.ts";
import { isJsonObject, type JsonObject } from "../../session/json.ts";
import { AllowanceSpent, UnusablePrompt } from "../errors.ts";
import type { CallError, Planner, Proposal, ProposeInput } from "../planning/port.ts";
import { checkAllowance, endOverBudget } from "./allowance.ts";
import { spentOf } from "./budget.ts";
import { contextNow } from "./context-now.ts";
import { type Draft, openDraft } from "./draft.ts";
import { adoptEarly, dropEarly, startEarly } from "./early-calls.ts";
import { failRun } from "./end-run.ts";
import { checkMemory, memoryForModel, tellWarnings } from "./keep-memory.ts";
import { modelFailure, tellFailure, tellRequest, tellResponse } from "./model-events.ts";
import { errorsOf, outcomesOf } from "./planning-input.ts";
import { type AgentPrompt, fillPrompt } from "./prompting.ts";
import { acceptPlan, checkProposed, proposePlan, rejectPlan } from "./propose.ts";
import { REASONS } from "./reasons.ts";
import { terminateOverBudget } from "./request-termination.ts";
import { goOn } from "./resume-waiting.ts";
import type { Runner } from "./runner.ts";
import { waitsForTurn } from "./turn-place.ts";
import { emitRemark } from "./user-messages.ts";

/** Begins the next iteration of a run that a model plans (P19), unless the limit or the budget ends it. In a directed turn each part has its own limit (D6). */
export function nextIteration(run: Runner, caused_by: string | null): void {
  const { iteration, settings, spoken } = run.state;
  if (iteration - (spoken.newest?.before ?? 0) >= settings.max_iterations) {
    const message =
      `The run came to its limit of ${settings.max_iterations} iterations without an end; ` +
      "start it again with a higher limit, or ask for less";
    return failRun(run, { code: "iteration_limit", message });
  }
  if (waitsForTurn(run, () => nextIteration(run, caused_by))) return;
  goOn(run, caused_by);
  const begun = run.log.emit("run.iteration", { iteration: iteration + 1 }, { caused_by });
  askForPlan(run, begun);
}

/** Asks the model for this iteration's calls. What it asks is on disk before it is sent (P23). */
export function askForPlan(run: Runner, caused_by: string | null): void {
  if (waitsForTurn(run, () => askForPlan(run, caused_by))) return;
  const { engine, root, state } = run;
  const planner = state.settings.answers === null ? engine.planner : engine.talker;
  if (!planner) {
    const message = "A run without a plan needs a model to make one, and this server has none; give it a plan";
    return failRun(run, { code: "no_model", message });
  }
  const spent = spentOf(root.state.settings.budget, state.use, engine.ports.clock.now());
  if (spent !== null) return terminateOverBudget(root, spent, true);
  const controller = new AbortController();
  const draft = openDraft(run);
  const stop = (reason: Error) => {
    controller.abort(reason);
    draft.end();
  };
  const asking: NonNullable<Runner["asking"]> = { stop, requested: null };
  run.asking = asking;
  run.after(() => {
    if (run.asking !== asking) return;
    // What is watched has ended before the log tells what came of it.
    const proposed = propose(run, planner, asking, { caused_by, draft, signal: controller.signal }).finally(draft.end);
    proposed.then(
      (proposal) =>
        run.post(() => {
          if (run.asking !== asking) return;
          run.asking = null;
          take(run, planner, proposal, asking.requested);
        }),
      (thrown: unknown) =>
        run.post(() => {
          if (run.asking !== asking) return;
          run.asking = null;
          if (thrown instanceof AllowanceSpent) return endOverBudget(run, thrown);
          if (thrown instanceof UnusablePrompt) return failRun(run, { code: thrown.code, message: thrown.message });
          const failure = modelFailure(thrown);
          const wasLost = state.chain.isLost;
          const failed = tellFailure(run, planner, failure, asking.requested ?? caused_by);
          dropEarly(run, REASONS.noPlan());
          if (state.chain.isLost && !wasLost) return askForPlan(run, failed);
          const message = `${failure.message}; resume the run to ask the model again`;
          failRun(run, { code: "model_failed", message }, failed);
        }),
    );
  });
}

/** While it is asked, nothing changes the state. */
async function propose(
  run: Runner,
  planner: Planner,
  asking: NonNullable<Runner["asking"]>,
  { caused_by, draft, signal }: { caused_by: string | null; draft: Draft; signal: AbortSignal },
): Promise<Proposal> {
  await checkAllowance(run);
  const warnings = checkMemory(run);
  const context = memoryForModel(run, contextNow(run.state));
  const agent = await fillPrompt(run, context, warnings);
  const input = inputOf(run, context, agent);
  return planner.propose(input, {
    onRequest: (request) =>
      run.ask(() => {
        // It may have ended while what was said before was read.
        signal.throwIfAborted();
        if (warnings !== null) tellWarnings(run, warnings, caused_by);
        asking.requested = tellRequest(run, planner, request, { agent, caused_by });
      }),
    onCall: (call) =>
      run.post(() => {
        if (run.asking === asking) startEarly(run, call, input.context, asking.requested);
      }),
    onText: draft.add,
    signal,
  });
}

function inputOf({ state, tools }: Runner, { data, text }: Context, agent: AgentPrompt | null): ProposeInput {
  const { answers, output_schema } = state.settings;
  const { filled, chain = null } = agent ?? {};
  // What a chain has begun with it has.
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

/** Takes a model's proposal: the plan stands, or its errors go back with the next request (P19). */
function take(run: Runner, planner: Planner, { solution, errors, answer }: Proposal, caused_by: string | null): void {
  const responded = tellResponse(run, planner, answer, caused_by);
  if (answer.calls.length > 0) emitRemark(run, answer.text, responded);
  const notes = errors.map(asNote);
  const { engine, state, tools, lineage } = run;
  const checked = checkProposed(engine, solution.calls, tools, contextNow(state), lineage);
  dropEarly(run, REASONS.otherPlan(), checked.ok ? checked.plan : []);
  const proposed = proposePlan(run, checked.plan, solution.output, responded);
  const problems = [...notes, ...checked.problems.map((problem) => ({ ...problem }))];
  const isNothing = solution.calls.length === 0 && errors.length > 0;
  if (!checked.ok || isNothing) {
    const [first] = checked.problems.filter(({ severity }) => severity === "error");
    return rejectPlan(run, problems, first?.message ?? errors[0]?.error.message ?? "The plan does not hold", proposed);
  }
  acceptPlan(run, checked, problems, proposed);
  adoptEarly(run);
}

function asNote({ call, error }: CallError): JsonObject {
  return { call: isJsonObject(call ?? undefined) ? call : null, error: { ...error } };
}
