import type { Json, JsonObject } from "../session/json/json.ts";

/** An output item: text, a refusal, or a function call. */
export type AnswerItem = { text: string } | { refusal: string } | { call_id: string; name: string; arguments: string };

/** An event of a streamed answer. */
export type AnswerEvent = { type: string } & JsonObject;

/** A response of a server with the Responses API. */
export interface Answer {
  id: string;
  /** Seconds since 1970. */
  created_at: number;
  items: readonly AnswerItem[];
  usage: JsonObject;
  /** Characters per delta; all by default. */
  delta?: number;
  /** Ends as `response.incomplete` with this reason. */
  incomplete?: string;
  /** Ends as `response.failed`. */
  failed?: { code: string; message: string };
}

/** The events of a streamed response in the documented order; the last one has the whole response. */
export function* answerEvents(answer: Answer, request: JsonObject): Generator<AnswerEvent, void> {
  const output: JsonObject[] = [];
  const response = (status: string): JsonObject => ({ ...responseOf(answer, request), status, output: [...output] });
  yield { type: "response.created", response: response("in_progress") };
  yield { type: "response.in_progress", response: response("in_progress") };
  for (const [index, item] of answer.items.entries()) {
    output.push(yield* eventsOfItem(item, index, answer));
  }
  const { failed, incomplete, usage } = answer;
  if (failed) {
    yield { type: "response.failed", response: { ...response("failed"), error: failed } };
  } else if (incomplete !== undefined) {
    const incomplete_details = { reason: incomplete };
    yield { type: "response.incomplete", response: { ...response("incomplete"), incomplete_details, usage } };
  } else {
    yield { type: "response.completed", response: { ...response("completed"), usage } };
  }
}

/** An event on the wire. */
export function eventFrame(type: string, data: string): string {
  return `event: ${type}\ndata: ${data}\n\n`;
}

/** An error in the API's format. */
export function errorBody(message: string, code: string | null, type = "error", param: string | null = null): string {
  return JSON.stringify({ error: { message, type, param, code } });
}

function* eventsOfItem(item: AnswerItem, output_index: number, answer: Answer): Generator<AnswerEvent, JsonObject> {
  if (!("call_id" in item)) return yield* eventsOfMessage(item, output_index, answer);
  const item_id = `fc_${output_index}`;
  const begun = { id: item_id, type: "function_call", status: "in_progress", ...item, arguments: "" };
  yield { type: "response.output_item.added", output_index, item: begun };
  for (const delta of pieces(item.arguments, answer.delta))
    yield { type: "response.function_call_arguments.delta", item_id, output_index, delta };
  yield { type: "response.function_call_arguments.done", item_id, output_index, arguments: item.arguments };
  const done = { ...begun, status: "completed", arguments: item.arguments };
  yield { type: "response.output_item.done", output_index, item: done };
  return done;
}

function* eventsOfMessage(
  item: { text: string } | { refusal: string },
  output_index: number,
  answer: Answer,
): Generator<AnswerEvent, JsonObject> {
  const item_id = `msg_${output_index}`;
  const at = { item_id, output_index, content_index: 0 };
  const begun = { id: item_id, type: "message", role: "assistant", status: "in_progress", content: [] };
  yield { type: "response.output_item.added", output_index, item: begun };
  const said = "text" in item ? item.text : item.refusal;
  const kind = "text" in item ? "output_text" : "refusal";
  const part = (words: string): JsonObject =>
    kind === "output_text"
      ? { type: kind, text: words, annotations: [], logprobs: [] }
      : { type: kind, refusal: words };
  yield { type: "response.content_part.added", ...at, part: part("") };
  for (const delta of pieces(said, answer.delta)) yield { type: `response.${kind}.delta`, ...at, delta };
  const whole: JsonObject = kind === "output_text" ? { text: said, logprobs: [] } : { refusal: said };
  yield { type: `response.${kind}.done`, ...at, ...whole };
  yield { type: "response.content_part.done", ...at, part: part(said) };
  const done = { ...begun, status: "completed", content: [part(said)] };
  yield { type: "response.output_item.done", output_index, item: done };
  return done;
}

function responseOf({ id, created_at }: Answer, request: JsonObject): Record<string, Json> {
  return {
    id,
    object: "response",
    created_at,
    status: "in_progress",
    error: null,
    incomplete_details: null,
    instructions: request.instructions ?? null,
    max_output_tokens: null,
    model: request.model ?? "",
    output: [],
    parallel_tool_calls: true,
    previous_response_id: request.previous_response_id ?? null,
    reasoning: { effort: null, summary: null },
    store: request.store ?? true,
    temperature: 1,
    text: request.text ?? { format: { type: "text" } },
    tool_choice: "auto",
    tools: request.tools ?? [],
    top_p: 1,
    truncation: "disabled",
    usage: null,
    user: null,
    metadata: {},
  };
}

/** Split by code points: JSON in UTF-8 cannot contain half of a surrogate pair. */
function pieces(text: string, size = Number.POSITIVE_INFINITY): string[] {
  const points = [...text];
  const cut: string[] = [];
  for (let at = 0; at < points.length; at += size) cut.push(points.slice(at, at + size).join(""));
  return cut;
}
