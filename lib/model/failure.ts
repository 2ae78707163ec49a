import { APIConnectionError, APIConnectionTimeoutError, APIError } from "openai";
import { ModelError } from "../engine/model.ts";

/** Who was asked, for the sentences. */
export interface Asked {
  model: string;
  /** The host and port of the base URL. */
  host: string;
  /** Taken out of whatever a provider says. */
  apiKey: string | null;
}

/** What went wrong with a request, as a `ModelError` with a code and a sentence for a person. Throws what is no failure of the model's side. */
export function modelFailure(error: unknown, asked: Asked): ModelError {
  if (error instanceof ModelError) return error;
  if (error instanceof APIConnectionTimeoutError) return tookTooLong(asked, error);
  if (error instanceof APIConnectionError) return unreachable(error, asked);
  if (error instanceof APIError) return refusal(error, asked);
  if (error instanceof SyntaxError)
    return new ModelError("malformed_stream", `What ${asked.host} streams is not the Responses API's JSON`, {
      cause: error,
    });
  // A body that breaks off names a code of the system or of Node's client; anything else is a fault of this program.
  if (codeOf(error) !== null) return cutStream(asked, error);
  throw error;
}

/** It said nothing for too long. */
export function tookTooLong(asked: Asked, cause?: unknown): ModelError {
  return new ModelError("timeout", `${asked.host} took too long to answer; try again or ask a faster model`, { cause });
}

/** The answer ended before it was complete. */
export function cutStream(asked: Asked, cause?: unknown): ModelError {
  return new ModelError("cut_stream", `The connection to ${asked.host} ended in the middle of the answer`, { cause });
}

/** A failure that the provider reports inside the stream. */
export function reportedFailure(code: string | null | undefined, message: string, asked: Asked): ModelError {
  if (code === "rate_limit_exceeded") return rateLimited(asked, null);
  return new ModelError("provider_error", `${asked.host} could not answer: ${sentence(message, asked)}`);
}

function unreachable(error: APIConnectionError, asked: Asked): ModelError {
  const reason = codeOf(error.cause);
  return new ModelError(
    "unreachable",
    `No connection to the model at ${asked.host}${reason ? ` (${reason})` : ""}; check OBELUS_MODEL_BASE_URL and the network`,
    { cause: error },
  );
}

function refusal(error: APIError, asked: Asked): ModelError {
  const { status, code } = error;
  // What a provider says of a key may repeat it, so none of it is passed on.
  if (status === 401)
    return new ModelError("unauthorized", `${asked.host} does not know the key; check OBELUS_MODEL_API_KEY`);
  if (status === 403)
    return new ModelError(
      "forbidden",
      `The key has no right to use ${asked.model} at ${asked.host}; give it that right`,
    );
  if (status === 429 && code === "insufficient_quota")
    return new ModelError(
      "quota",
      `The account at ${asked.host} has nothing left to spend; check its plan and billing`,
    );
  if (status === 429) return rateLimited(asked, error.headers?.get("retry-after") ?? null);
  if (status === 404 || code === "model_not_found")
    return new ModelError(
      "unknown_model",
      `${asked.host} has no model ${asked.model}; check OBELUS_MODEL and the base URL`,
    );
  if (code === "context_length_exceeded")
    return new ModelError(
      "too_long",
      `The request is too long for ${asked.model}; give it less context or fewer tools`,
    );
  const said = sentence(error.message, asked);
  if (status === undefined) return reportedFailure(code, error.message, asked);
  if (status < 500) return new ModelError("bad_request", `${asked.host} refused the request: ${said}`);
  return new ModelError("provider_error", `${asked.host} failed, also when asked again: ${said}`);
}

function rateLimited(asked: Asked, retryAfter: string | null): ModelError {
  const wait = retryAfter !== null && /^\d+$/.test(retryAfter) ? ` in ${retryAfter} s` : " later";
  return new ModelError("rate_limited", `${asked.host} allows no more requests now; try again${wait}`);
}

/** What a provider says, on one line, without the key. */
function sentence(message: string, { apiKey }: Asked): string {
  const line = message.replace(/\s+/g, " ").trim().slice(0, 500);
  return apiKey ? line.replaceAll(apiKey, "[key]") : line;
}

/** The system's code at the bottom of a chain of causes: ECONNREFUSED. */
function codeOf(cause: unknown): string | null {
  for (let error = cause; error instanceof Error; error = error.cause) {
    if ("code" in error && typeof error.code === "string") return error.code;
  }
  return null;
}
