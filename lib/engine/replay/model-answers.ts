import type { Json } from "../../session/json/json.ts";
import { isJsonObject } from "../../session/json/json.ts";
import type { ModelAnswer } from "../model.ts";
import { readResult } from "../planning/planner.ts";
import { readSolution } from "../planning/read-solution.ts";
import type { Input, Requested } from "../step/input.ts";
import type { Run } from "../step/run.ts";
import { callOf, plain } from "./recorded-place.ts";
import { cannot, type Recorded, type RecordedEvent, type Replaying } from "./replaying.ts";

/** A request to a model, for a plan or for a latent tool's result. */
export function requestOf(
  replay: Replaying,
  run: Run,
  event: Recorded<"selfcheck.warned" | "prompt.rendered">,
): Input | null {
  const warnings = event.type === "selfcheck.warned" ? event.payload.warnings : null;
  const [rendered, ...more] = replay.ahead(run).slice(warnings === null ? 0 : 1);
  if (rendered?.type !== "prompt.rendered") return null;
  const { call_id, iteration, instance } = rendered.payload;
  const requested = requestedIn(rendered, more);
  if (call_id === undefined)
    return run.asking && { kind: "plan_requested", ticket: run.asking.ticket, requested, warnings };
  const call = callOf(run, { call_id, iteration, instance });
  const [ticket] = [...run.questions].find(([, question]) => question.call === call) ?? [];
  return ticket === undefined ? null : { kind: "result_requested", ticket, requested };
}

function requestedIn({ payload }: Recorded<"prompt.rendered">, more: readonly RecordedEvent[]): Requested {
  const { iteration: _iteration, call_id: _call, instance: _instance, ...rendered } = payload;
  const told: Requested = {
    prompt: { rendered: plain(rendered), truncated: null, missing: [] },
    input: null,
    previous_response_id: null,
    told: null,
  };
  for (const next of more) {
    if (next.type === "history.truncated") {
      const { iteration: _of, ...truncated } = next.payload;
      told.prompt.truncated = truncated;
    } else if (next.type === "placeholder.missing") told.prompt.missing = next.payload.names;
    else if (next.type === "model.requested") {
      const { input = null, previous_response_id = null } = next.payload;
      return { ...told, input, previous_response_id };
    } else break;
  }
  return cannot("A request to a model is not recorded");
}

/** The answer of a model, to a request for a plan or for a latent tool's result. */
export function answerOf(
  replay: Replaying,
  run: Run,
  { payload, caused_by }: Recorded<"model.responded">,
): Input | null {
  const answer = readAnswer(payload);
  const cause = replay.ids.replayed(caused_by ?? "");
  const [ticket, question] = [...run.questions].find(([, asked]) => asked.caused_by === cause) ?? [];
  if (ticket !== undefined && question) {
    const tool = run.tools.tool(question.call.tool);
    return tool ? { kind: "result_came", ticket, produced: readResult(answer, tool), answer } : null;
  }
  const { asking, state, tools } = run;
  if (asking?.requested !== cause) return null;
  const { answers, output_schema } = state.settings;
  const asked = { ask: answers === null ? "plan" : "text", tools: tools.list(), output_schema } as const;
  return { kind: "plan_came", ticket: asking.ticket, proposal: { ...readSolution(answer, asked), answer } };
}

function readAnswer(payload: Recorded<"model.responded">["payload"]): ModelAnswer {
  const { output, response_id = "", input_tokens = 0, output_tokens = 0, finish_reason = null } = payload;
  const { text, calls } = isJsonObject(output) ? output : {};
  return {
    text: typeof text === "string" ? text : "",
    calls: Array.isArray(calls) ? calls.flatMap(nativeCall) : [],
    output: [],
    ...{ response_id, input_tokens, output_tokens, finish_reason },
  };
}

function nativeCall(call: Json): ModelAnswer["calls"] {
  if (!isJsonObject(call)) return [];
  const { call_id, name, arguments: given } = call;
  return [{ call_id: String(call_id), name: String(name), arguments: String(given) }];
}

/** The failure of such a request. */
export function failureOf(replay: Replaying, run: Run, { payload, caused_by }: Recorded<"model.failed">): Input | null {
  const { error = "" } = payload;
  const failure = typeof error === "string" ? { code: "model_failed", message: error } : error;
  const cause = replay.ids.replayed(caused_by ?? "");
  const [ticket] = [...run.questions].find(([, asked]) => asked.caused_by === cause) ?? [];
  if (ticket !== undefined) return { kind: "result_failed", ticket, why: { kind: "model", failure } };
  return run.asking && { kind: "plan_failed", ticket: run.asking.ticket, why: { kind: "model", failure } };
}
