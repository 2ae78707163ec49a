import type { JsonObject } from "../../../session/json/json.ts";
import type { RegisteredTool } from "../../tools/tools.ts";
import { alertSpent } from "../course/allowance.ts";
import { tellFailure, tellRequest, tellResponse } from "../course/model-events.ts";
import type { ModelName } from "../env.ts";
import type { Input, Requested } from "../input.ts";
import type { Run } from "../run.ts";
import type { RunCall } from "../state/run-call.ts";
import { failCall, finishCall } from "./finish-call.ts";
import { releaseSlot } from "./release-slot.ts";

/** A latent tool's result that a model is asked for, in a request of its own (P2a). */
export interface Question {
  call: RunCall;
  planner: ModelName;
  /** What the next of its events comes of. */
  caused_by: string | null;
}

/** Has the model asked for a latent tool's result. */
export function askForResult(
  run: Run,
  call: RunCall,
  tool: RegisteredTool,
  params: JsonObject,
  planner: ModelName,
): void {
  const ticket = run.track(call, "activity");
  run.questions.set(ticket, { call, planner, caused_by: call.event_id });
  run.after({ kind: "ask_for_result", ticket, call, tool, params });
}

/** The request is about to be sent. */
export function tellQuestion(run: Run, ticket: number, requested: Requested): void {
  const question = run.questions.get(ticket);
  if (!question) return;
  const { call, planner, caused_by } = question;
  question.caused_by = tellRequest(run, planner, requested, { call, caused_by });
}

/** The model has answered. */
export function takeResult(run: Run, { ticket, produced, answer }: Extract<Input, { kind: "result_came" }>): void {
  const question = run.questions.get(ticket);
  run.questions.delete(ticket);
  if (!question) return;
  const { call, planner } = question;
  // The tokens are used, whatever became of the call.
  const caused_by = tellResponse(run, planner, answer, question.caused_by);
  if (!run.isLive(call, ticket)) return;
  releaseSlot(run, call);
  if (!produced.ok) return failCall(run, call, produced.error, { caused_by });
  finishCall(run, call, { value: produced.output, chosen: null, state: undefined }, { caused_by });
}

/** The model gave no answer, or was not asked. */
export function failResult(run: Run, { ticket, why }: Extract<Input, { kind: "result_failed" }>): void {
  const question = run.questions.get(ticket);
  run.questions.delete(ticket);
  if (!question || !run.isLive(question.call, ticket)) return;
  const { call, planner } = question;
  if (why.kind === "allowance") {
    releaseSlot(run, call);
    return failCall(run, call, { code: why.code, message: why.message }, { caused_by: alertSpent(run, why) });
  }
  const caused_by = tellFailure(run, planner, why.failure, question.caused_by);
  releaseSlot(run, call);
  failCall(run, call, why.failure, { caused_by });
}
