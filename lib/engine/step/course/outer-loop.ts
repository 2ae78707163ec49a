import { isJsonObject, type JsonObject } from "../../../session/json/json.ts";
import type { CallError } from "../../planning/port.ts";
import { adoptEarly, dropEarly, startEarly } from "../calls/early-calls.ts";
import type { ModelName } from "../env.ts";
import type { Input } from "../input.ts";
import { REASONS } from "../reasons.ts";
import type { Run } from "../run.ts";
import { spentOf } from "../state/budget.ts";
import { contextNow } from "../state/context-now.ts";
import { endOverBudget } from "./allowance.ts";
import { failRun } from "./end-run.ts";
import { tellFailure, tellRequest, tellResponse } from "./model-events.ts";
import { acceptPlan, checkProposed, proposePlan, rejectPlan } from "./propose.ts";
import { terminateOverBudget } from "./request-termination.ts";
import { goOn } from "./resume-waiting.ts";
import { waitsForTurn } from "./turn-place.ts";
import { emitRemark, tellWarnings } from "./user-messages.ts";

/** Begins the next iteration of a run that a model plans (P19), unless the limit or the budget ends it. In a directed turn each part has its own limit (D6). */
export function nextIteration(run: Run, caused_by: string | null): void {
  const { iteration, settings, spoken } = run.state;
  if (iteration - (spoken.newest?.before ?? 0) >= settings.max_iterations) {
    const message =
      `The run reached its limit of ${settings.max_iterations} iterations; ` +
      "start it again with a higher limit, or reduce the task";
    return failRun(run, { code: "iteration_limit", message });
  }
  if (waitsForTurn(run, { act: "iterate", caused_by })) return;
  goOn(run, caused_by);
  const begun = run.log.emit("run.iteration", { iteration: iteration + 1 }, { caused_by });
  askForPlan(run, begun);
}

/** Requests this iteration's plan from the model. The request is on disk before it is sent (P23). */
export function askForPlan(run: Run, caused_by: string | null): void {
  if (waitsForTurn(run, { act: "ask", caused_by })) return;
  const { root, state } = run;
  if (!plannerOf(run)) {
    const message = "A run without a plan needs a model, but none is configured; send a plan";
    return failRun(run, { code: "no_model", message });
  }
  const spent = spentOf(root.state.settings.budget, state.use, run.now);
  if (spent !== null) return terminateOverBudget(root, spent, true);
  const ticket = run.ticket();
  run.asking = { ticket, caused_by, requested: null };
  run.after({ kind: "ask_for_plan", ticket, caused_by });
}

/** The model that makes a run's plans; null if there is none. */
export function plannerOf({ env, state }: Run): ModelName | null {
  return state.settings.answers === null ? env.planner : env.talker;
}

/** Records the request before it is sent, with the memory's warnings if they were checked. */
export function tellPlanRequest(run: Run, { ticket, requested, warnings }: OfKind<"plan_requested">): void {
  const { asking } = run;
  const planner = plannerOf(run);
  if (asking?.ticket !== ticket || !planner) return;
  const { caused_by } = asking;
  if (warnings !== null) tellWarnings(run, warnings, caused_by);
  asking.requested = tellRequest(run, planner, requested, { caused_by });
}

/** Handles a call that arrived before its plan is complete. */
export function takeStreamed(run: Run, { ticket, call, context }: OfKind<"call_streamed">): void {
  if (run.asking?.ticket === ticket) startEarly(run, call, context, run.asking.requested);
}

/** Handles a failed request for a plan. */
export function failPlan(run: Run, { ticket, why }: OfKind<"plan_failed">): void {
  const { asking, state } = run;
  const planner = plannerOf(run);
  if (asking?.ticket !== ticket || !planner) return;
  run.asking = null;
  if (why.kind === "allowance") return endOverBudget(run, why);
  if (why.kind === "prompt") return failRun(run, { code: why.code, message: why.message });
  const wasLost = state.chain.isLost;
  const failed = tellFailure(run, planner, why.failure, asking.requested ?? asking.caused_by);
  dropEarly(run, REASONS.noPlan());
  if (state.chain.isLost && !wasLost) return askForPlan(run, failed);
  const message = `${why.failure.message}; resume the run to ask the model again`;
  failRun(run, { code: "model_failed", message }, failed);
}

/** Handles a model's proposal: the plan is accepted, or its errors are returned with the next request (P19). */
export function takePlan(run: Run, { ticket, proposal }: OfKind<"plan_came">): void {
  const { asking } = run;
  const planner = plannerOf(run);
  if (asking?.ticket !== ticket || !planner) return;
  run.asking = null;
  const { solution, errors, answer } = proposal;
  const responded = tellResponse(run, planner, answer, asking.requested);
  if (answer.calls.length > 0) emitRemark(run, answer.text, responded);
  const notes = errors.map(asNote);
  const { env, state, tools, lineage } = run;
  const checked = checkProposed(env, solution.calls, tools, contextNow(state), lineage);
  dropEarly(run, REASONS.otherPlan(), checked.ok ? checked.plan : []);
  const proposed = proposePlan(run, checked.plan, solution.output, responded);
  const problems = [...notes, ...checked.problems.map((problem) => ({ ...problem }))];
  const isNothing = solution.calls.length === 0 && errors.length > 0;
  if (!checked.ok || isNothing) {
    const [first] = checked.problems.filter(({ severity }) => severity === "error");
    return rejectPlan(run, problems, first?.message ?? errors[0]?.error.message ?? "The plan is invalid", proposed);
  }
  acceptPlan(run, checked, problems, proposed);
  adoptEarly(run);
}

type OfKind<K extends Input["kind"]> = Extract<Input, { kind: K }>;

function asNote({ call, error }: CallError): JsonObject {
  return { call: isJsonObject(call ?? undefined) ? call : null, error: { ...error } };
}
