import type { Failure } from "../../../session/session.ts";
import type { ModelAnswer } from "../../model.ts";
import type { ModelName } from "../env.ts";
import type { Requested } from "../input.ts";
import type { Run } from "../run.ts";
import { placeOf, type RunCall } from "../state/run-call.ts";

/**
 * A model is about to be asked: the request is on disk before it is sent (P23), its prompt by an event of its own (H6).
 * `call` is the one whose result it asks for.
 */
export function tellRequest(
  run: Run,
  planner: ModelName,
  requested: Requested,
  { call = null, caused_by }: { call?: RunCall | null; caused_by: string | null },
): string {
  const rendered = tellPrompt(run, requested, call, caused_by);
  const { input, previous_response_id } = requested;
  const told = { ...nameOf(run, planner), input, ...(previous_response_id && { previous_response_id }) };
  return run.log.emit("model.requested", told, { caused_by: rendered });
}

/** Records the prompt of a request, with what is missing (H6); returns the event. */
function tellPrompt(run: Run, { prompt, told }: Requested, call: RunCall | null, caused_by: string | null): string {
  const { iteration } = run.state;
  const place = call === null ? {} : placeOf(call);
  // So that the next request knows what was not sent yet.
  const knows = told ? { history: { ...prompt.rendered.history, ...told } } : {};
  const rendered = run.log.emit(
    "prompt.rendered",
    { ...prompt.rendered, ...knows, iteration, ...place },
    { caused_by },
  );
  const cause = { caused_by: rendered };
  if (prompt.truncated !== null) run.log.emit("history.truncated", { ...prompt.truncated, iteration }, cause);
  if (prompt.missing.length > 0) run.log.emit("placeholder.missing", { names: prompt.missing, iteration }, cause);
  return rendered;
}

/** Records a model's answer, including its content: the next request may have to repeat it (P19a). */
export function tellResponse(run: Run, planner: ModelName, answer: ModelAnswer, caused_by: string | null): string {
  const { text, calls, response_id, input_tokens, output_tokens, finish_reason } = answer;
  const told = {
    ...nameOf(run, planner),
    ...{ response_id, input_tokens, output_tokens },
    ...(finish_reason === null ? {} : { finish_reason }),
    output: { text, calls: calls.map((call) => ({ ...call })) },
  };
  return run.log.emit("model.responded", told, { actor: `model:${planner.model}`, caused_by });
}

/** Records that a model request failed. */
export function tellFailure(run: Run, planner: ModelName, error: Failure, caused_by: string | null): string {
  const { code, message } = error;
  return run.log.emit("model.failed", { ...nameOf(run, planner), error: { code, message } }, { caused_by });
}

function nameOf(run: Run, { model, provider }: ModelName): { model: string; provider: string; iteration: number } {
  return { model, provider, iteration: run.state.iteration };
}
