import type { Clock, EngineLogger } from "../../engine/ports.ts";
import { LARGEST_RESULT } from "../../engine/result-bounds.ts";
import { ActivityError } from "../../engine/tools/activity.ts";
import { readAnswer as readBody } from "../../engine/tools/http/answer.ts";
import { bodyWithin, ExchangeError, exchange, type Incoming } from "../../engine/tools/http/exchange.ts";
import type { Egress } from "../../outgoing/egress.ts";
import type { JsonObject } from "../../session/json/json.ts";
import { type Answer, readAnswer, readRefusal } from "./answer.ts";
import { type Asked, failedByStatus, notAnAnswer, refused, tookTooLong, unanswered } from "./failure.ts";
import { isRetryable, sleep, waitAfter, within } from "./retry.ts";

/** What requests depend on. */
export interface Asking {
  /** To the portal. */
  egress: Egress;
  /** The timeout of an attempt, ms. */
  timeoutMs: number;
  clock: Clock;
  /** From 0 to below 1. */
  random: () => number;
  logger: Pick<EngineLogger, "warn"> | null;
}

/**
 * Sends a request, with retries if that is safe and may help (P24). Throws an `ActivityError`, or the signal's reason.
 */
export async function requestWithRetries(
  asked: Asked,
  params: JsonObject,
  asking: Asking,
  signal: AbortSignal,
): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await askOnce(asked, params, asking, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ActivityError)) throw error;
      if (!isRetryable(error, tries, asked.repeatable)) throw withAttempts(error, tries);
      const wait_ms = waitAfter(tries, error, asking.random());
      asking.logger?.warn({ method: asked.method, code: error.code, tries, wait_ms }, "Retrying a Bitrix24 request");
      await sleep(wait_ms, asking.clock, signal);
    }
  }
}

const HEADERS = {
  accept: "application/json",
  "accept-encoding": "identity",
  "content-type": "application/json",
  "user-agent": "Obelus",
};

async function askOnce(
  asked: Asked,
  params: JsonObject,
  { egress, timeoutMs, clock }: Asking,
  signal: AbortSignal,
): Promise<Answer> {
  const request = {
    url: asked.webhook.addressOf(asked.method),
    method: "POST",
    headers: HEADERS,
    body: JSON.stringify(params),
    way: egress,
    reuse: asked.repeatable,
  };
  const late = Symbol();
  try {
    const answer = await within(
      timeoutMs,
      clock,
      signal,
      () => late,
      (either) => exchange({ ...request, signal: either }, (response) => bodyWithin(response, LARGEST_RESULT)),
    );
    return read(answer, asked);
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    if (error.cause === late) throw tookTooLong(timeoutMs, error.sent, asked);
    throw unanswered(error, asked, signal);
  }
}

function read(answer: Incoming, asked: Asked): Answer {
  const body = readBody(answer);
  const refusal = body.ok ? readRefusal(body.value) : null;
  if (refusal) throw refused(refusal, answer, asked);
  if (answer.status < 200 || answer.status > 299) throw failedByStatus(answer, asked);
  if (!body.ok) throw notAnAnswer(kindOf(answer), asked);
  const result = readAnswer(body.value);
  if (result === null) throw notAnAnswer("JSON that no portal answers", asked);
  return result;
}

/** A description of an unreadable body without its text, which may contain the secret. */
function kindOf({ headers }: Incoming): string {
  const type = headers["content-type"]?.split(";")[0] ?? "";
  return type === "" || type.includes("json") ? "something that is no JSON" : `${type} instead of JSON`;
}

/** The failure with the number of attempts. */
function withAttempts(error: ActivityError, tries: number): ActivityError {
  const { code, message, cause, did_not_happen, transient, retry_after_ms } = error;
  const tried = [
    ...(tries === 1 ? [] : [`asked ${tries} times`]),
    ...(retry_after_ms === null ? [] : [`retry after ${Math.ceil(retry_after_ms / 1_000)} s`]),
  ];
  if (tried.length === 0) return error;
  const how = { cause, did_not_happen, transient, ...(retry_after_ms === null ? {} : { retry_after_ms }) };
  return new ActivityError(code, `${message} (${tried.join(", ")}; try again later)`, how);
}
