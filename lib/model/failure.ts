import { APIConnectionError, APIConnectionTimeoutError, APIError } from "openai/core/error";
import { ModelError, TOO_LONG, UNKNOWN_RESPONSE } from "../engine/model.ts";
import { CallRefused } from "../outgoing/egress.ts";
import { AnswerTooLarge } from "../outgoing/fetch.ts";
import type { ModelApi } from "./wire.ts";

/** The request, for messages. */
export interface Asked {
  model: string;
  /** The host and port of the base URL. */
  host: string;
  api: ModelApi;
  /** Removed from the provider's messages. */
  apiKey: string | null;
  /** The response that the request continues from. */
  previous_response_id: string | null;
}

/** A request's failure as a `ModelError` with a code and a message. Rethrows errors that are not the provider's. */
export function modelFailure(error: unknown, asked: Asked): ModelError {
  if (error instanceof ModelError) return error;
  if (causesOf(error).some((cause) => cause instanceof AnswerTooLarge)) return tooMuch(asked, error);
  if (error instanceof APIConnectionTimeoutError) return tookTooLong(asked, error);
  if (error instanceof APIConnectionError) return unreachable(error, asked);
  if (error instanceof APIError) return refusal(error, asked);
  if (error instanceof SyntaxError) return malformedStream(asked, error);
  // A broken connection has a code of the system or of Node's client; anything else is a bug here.
  if (codeOf(error) !== null) return cutStream(asked, error);
  throw error;
}

/** The response is not what its API describes. */
export function malformedStream({ host, api }: Asked, cause: unknown): ModelError {
  return new ModelError("malformed_stream", `What ${host} streams is not the JSON of the ${API_NAMES[api]}`, { cause });
}

const API_NAMES = { responses: "Responses API", chat: "chat completions API" } as const;

/** A timeout. */
export function tookTooLong(asked: Asked, cause?: unknown): ModelError {
  return new ModelError("timeout", `${asked.host} took too long to answer; try again or ask a faster model`, { cause });
}

/** The response ended before it was complete. */
export function cutStream(asked: Asked, cause?: unknown): ModelError {
  return new ModelError("cut_stream", `The connection to ${asked.host} ended in the middle of the answer`, { cause });
}

/** The response was too long; the connection was closed. */
export function tooMuch({ model, host }: Asked, cause?: unknown): ModelError {
  return new ModelError(
    "answer_too_large",
    `The answer of ${model} at ${host} exceeded the size limit and was cut off; ask for less, or use another model`,
    { cause },
  );
}

/** A failure reported in the stream. */
export function reportedFailure(code: string | null | undefined, message: string, asked: Asked): ModelError {
  if (code === "rate_limit_exceeded") return rateLimited(asked, null);
  if (code === "insufficient_quota") return spent(asked);
  if (code === "context_length_exceeded") return tooLong(asked);
  if (isForgotten(code, message, asked)) return forgotten(asked);
  return new ModelError("provider_error", `${asked.host} could not answer: ${sentence(message, asked)}`);
}

function unreachable(error: APIConnectionError, asked: Asked): ModelError {
  const refused = causesOf(error).find((cause) => cause instanceof CallRefused);
  if (refused) return new ModelError("unreachable", `The model cannot be called: ${refused.message}`, { cause: error });
  const reason = codeOf(error.cause);
  return new ModelError(
    "unreachable",
    `No connection to the model at ${asked.host}${reason ? ` (${reason})` : ""}; check OBELUS_MODEL_BASE_URL and the network`,
    { cause: error },
  );
}

function refusal(error: APIError, asked: Asked): ModelError {
  const { status, code } = error;
  // The provider's message about a key may contain it, so it is not passed on.
  if (status === 401)
    return new ModelError("unauthorized", `${asked.host} rejected the API key; check OBELUS_MODEL_API_KEY`);
  if (status === 403)
    return new ModelError(
      "forbidden",
      `The key has no right to use ${asked.model} at ${asked.host}; give it that right`,
    );
  if (status === 429 && code === "insufficient_quota") return spent(asked);
  if (status === 429) return rateLimited(asked, secondsToWait(error.headers));
  if ((status === 400 || status === 404) && isForgotten(code, `${error.param} ${error.message}`, asked))
    return forgotten(asked);
  if (status === 404 || code === "model_not_found") return unknownModel(asked, code);
  if (isTooLong(error)) return tooLong(asked);
  const said = sentence(error.message, asked);
  if (status === undefined) return reportedFailure(code, error.message, asked);
  if (status < 500) return new ModelError("bad_request", `${asked.host} refused the request: ${said}`);
  return new ModelError("provider_error", `${asked.host} failed, also after retries: ${said}`);
}

/** Servers that lack an API answer with the same status as those that lack the model. */
function unknownModel({ host, model, api }: Asked, code: string | null | undefined): ModelError {
  const other = api === "responses" && code !== "model_not_found";
  const hint = other ? "; if the server has only chat completions, set OBELUS_MODEL_API=chat" : "";
  return new ModelError("unknown_model", `${host} has no model ${model}; check OBELUS_MODEL and the base URL${hint}`);
}

/** llama.cpp reports it by a type, vLLM only by its message. */
function isTooLong({ code, type, message }: APIError): boolean {
  return (
    code === "context_length_exceeded" ||
    type === "exceed_context_size_error" ||
    message.includes("maximum context length")
  );
}

function rateLimited(asked: Asked, seconds: number | null): ModelError {
  const wait = seconds === null ? " later" : ` in ${seconds} s`;
  return new ModelError("rate_limited", `The rate limit of ${asked.host} is reached; try again${wait}`);
}

/** Retry-After in seconds or as a date; null without one. */
function secondsToWait(headers: Headers | undefined): number | null {
  const told = headers?.get("retry-after") ?? "";
  if (/^\d+$/.test(told)) return Number(told);
  const at = Date.parse(told);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1_000));
}

function spent({ host }: Asked): ModelError {
  return new ModelError("quota", `The account at ${host} has no credit left; check its plan and billing`);
}

function tooLong({ model }: Asked): ModelError {
  return new ModelError(TOO_LONG, `The request is too long for ${model}; give it less context or fewer tools`);
}

/** Providers report it by a code, or by a message that names the parameter or the response. */
function isForgotten(code: string | null | undefined, said: string, { previous_response_id: id }: Asked): boolean {
  if (id === null) return false;
  return code === "previous_response_not_found" || said.includes("previous_response_id") || said.includes(id);
}

function forgotten({ host, previous_response_id }: Asked): ModelError {
  return new ModelError(
    UNKNOWN_RESPONSE,
    `${host} does not have the response ${previous_response_id} any more; the whole conversation is sent instead`,
  );
}

/** The provider's message on one line, without the key. */
function sentence(message: string, { apiKey }: Asked): string {
  const line = message.replace(/\s+/g, " ").trim().slice(0, 500);
  return apiKey ? line.replaceAll(apiKey, "[key]") : line;
}

/** The system's error code at the end of the chain of causes: ECONNREFUSED. */
function codeOf(cause: unknown): string | null {
  for (const error of causesOf(cause)) {
    if ("code" in error && typeof error.code === "string") return error.code;
  }
  return null;
}

/** An error and its causes, in order. */
function causesOf(cause: unknown): Error[] {
  return cause instanceof Error ? [cause, ...causesOf(cause.cause)] : [];
}
