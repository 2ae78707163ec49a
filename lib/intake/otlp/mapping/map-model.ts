import { newEvent } from "../../new-event.ts";
import { cut, eventId, timeOf } from "../names.ts";
import type { ModelDoing } from "../span.ts";
import { addInput } from "./map-run.ts";
import { addResults, startUnseen } from "./map-tool.ts";
import { askedIn } from "./mapped-state.ts";
import { saidIn } from "./thread.ts";
import type { Node } from "./trace.ts";
import { failureOf } from "./trace.ts";
import { asJson, type TraceMapper } from "./trace-mapper.ts";

/** A model is asked: the run's next iteration. What its input tells of calls and of what was said comes first. */
export function askModel(mapper: TraceMapper, node: Node, doing: ModelDoing): void {
  const { span, run } = node;
  if (!run) throw new Error(`The model's span ${span.span_id} stands in no run`);
  const state = mapper.run(run);
  const fields = mapper.fields(node);
  const at = { ...fields, occurred_at: timeOf(span.start) };
  const idOf = (what: string) => eventId(mapper.trace.id, span.span_id, what);

  addResults(mapper, node, doing);
  if (run.speaks) state.cause = addInput(mapper, node, run, saidIn(doing.input), span.start) ?? state.cause;
  const cause = state.cause;
  state.iteration += 1;
  const { iteration } = state;
  // Of a run that is over, nothing more can be told than what happened.
  if (!state.ended) {
    state.cause = mapper.emit(
      newEvent("run.iteration", { iteration }, { ...at, id: idOf("run.iteration"), caused_by: cause }),
    );
  }
  const instructions = doing.instructions ?? (run.node?.doing.kind === "agent" ? run.node.doing.instructions : null);
  if (instructions !== null && instructions !== state.instructions) {
    state.instructions = instructions;
    const payload = { prompt: instructions, iteration };
    mapper.emit(newEvent("prompt.rendered", payload, { ...at, id: idOf("prompt.rendered"), caused_by: state.cause }));
  }
  const payload = {
    ...modelOf(doing),
    iteration,
    ...(doing.input.length > 0 && { input: asJson(doing.input) }),
    ...(Object.keys(doing.parameters).length > 0 && { parameters: doing.parameters }),
    span: mapper.origin(node),
  };
  state.cause = mapper.emit(
    newEvent("model.requested", payload, { ...at, id: idOf("model.requested"), caused_by: state.cause }),
  );
  mapper.iterations.set(node, iteration);
}

/** A model has answered, or failed. */
export function modelAnswers(mapper: TraceMapper, node: Node, doing: ModelDoing): void {
  const { span, run } = node;
  if (!run) throw new Error(`The model's span ${span.span_id} stands in no run`);
  const state = mapper.run(run);
  const iteration = mapper.iterations.get(node) ?? state.iteration;
  const error = failureOf(node);
  const output = asJson(doing.output);
  const type = error ? "model.failed" : "model.responded";
  const payload = {
    ...modelOf(doing),
    iteration,
    ...(doing.input_tokens !== null && { input_tokens: doing.input_tokens }),
    ...(doing.output_tokens !== null && { output_tokens: doing.output_tokens }),
    ...(doing.response_id !== null && { response_id: doing.response_id }),
    ...(doing.finish_reason !== null && { finish_reason: doing.finish_reason }),
    ...(doing.output.length > 0 && { output }),
    ...(error && { error }),
  };
  const requested = eventId(mapper.trace.id, span.span_id, "model.requested");
  const id = mapper.emit(
    newEvent(type, payload, {
      ...mapper.fields(node),
      id: eventId(mapper.trace.id, span.span_id, type),
      occurred_at: timeOf(span.end),
      caused_by: requested,
    }),
  );
  state.cause = id;
  if (error) return;
  const asked = askedIn(output, { iteration, cause: id });
  state.asked.push(...asked);
  startUnseen(mapper, node, run, asked);
  const said = saidIn(doing.output).filter(({ role, text }) => role === "assistant" && text !== "");
  // What it says while it asks for calls is told when the next request has it, in its place before their results.
  state.answer = asked.length > 0 ? null : (said.at(-1)?.text ?? null);
}

function modelOf({ model, provider }: ModelDoing): { model: string; provider: string } {
  return { model: cut(model, 200), provider: cut(provider, 200) };
}
