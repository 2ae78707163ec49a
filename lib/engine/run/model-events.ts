import type { Failure } from "../../session/session.ts";
import { type ModelAnswer, ModelError, type ModelRequest } from "../model.ts";
import { toJson } from "../plain-json.ts";
import type { Planner } from "../planning/port.ts";
import { type AgentPrompt, tellPrompt } from "./prompting.ts";
import type { RunCall } from "./run-call.ts";
import type { Runner } from "./runner.ts";

/**
 * A model is about to be asked: the request is on disk before it is sent (P23), its prompt by an event of its own (H6).
 * `agent` is what an agent is told with it, `call` whose result it asks for.
 */
export function tellRequest(
  run: Runner,
  planner: Planner,
  { instructions, ...input }: ModelRequest,
  {
    agent = null,
    call = null,
    caused_by,
  }: { agent?: AgentPrompt | null; call?: RunCall | null; caused_by: string | null },
): string {
  const rendered = tellPrompt(run, { instructions, ...input }, agent, call, caused_by);
  const { previous_response_id } = input;
  const told = { ...nameOf(run, planner), input: toJson(input), ...(previous_response_id && { previous_response_id }) };
  return run.log.emit("model.requested", told, { caused_by: rendered });
}

/** A model has answered. What it said is kept, for the next request may have to repeat it (P19a). */
export function tellResponse(run: Runner, planner: Planner, answer: ModelAnswer, caused_by: string | null): string {
  const { text, calls, response_id, input_tokens, output_tokens, finish_reason } = answer;
  const told = {
    ...nameOf(run, planner),
    ...{ response_id, input_tokens, output_tokens },
    ...(finish_reason === null ? {} : { finish_reason }),
    output: { text, calls: calls.map((call) => ({ ...call })) },
  };
  return run.log.emit("model.responded", told, { actor: `model:${planner.model}`, caused_by });
}

/** Why a model gave no answer, or none that can be taken. */
export function modelFailure(thrown: unknown): Failure {
  if (thrown instanceof ModelError) return { code: thrown.code, message: thrown.message };
  return { code: "model_failed", message: thrown instanceof Error ? thrown.message : String(thrown) };
}

/** A model gave no answer. */
export function tellFailure(run: Runner, planner: Planner, error: Failure, caused_by: string | null): string {
  const { code, message } = error;
  return run.log.emit("model.failed", { ...nameOf(run, planner), error: { code, message } }, { caused_by });
}

function nameOf(run: Runner, { model, provider }: Planner): { model: string; provider: string; iteration: number } {
  return { model, provider, iteration: run.state.iteration };
}
