import { CallRefused } from "../../../outgoing/egress.ts";
import { AnswerTooLarge } from "../../../outgoing/fetch.ts";
import { isJsonObject, type Json } from "../../../session/json/json.ts";
import { ActivityError } from "../activity.ts";
import { readAnswer } from "./answer.ts";
import type { ExchangeError, Incoming } from "./exchange.ts";

/** What a server says of an error beyond this many characters helps nobody. */
const LONGEST_MESSAGE = 1_000;

/** The failure of a call whose request got no whole answer (P24). Throws the signal's reason when the call was stopped. */
export function failureWithoutAnswer({ cause, sent }: ExchangeError, url: URL, signal: AbortSignal): ActivityError {
  if (signal.aborted) throw cause;
  const how = { cause, transient: true, did_not_happen: !sent };
  if (cause instanceof AnswerTooLarge) {
    return new ActivityError("answer_too_large", `The response of ${url.host} exceeds the size limit for tools`, {
      cause,
    });
  }
  if (cause instanceof CallRefused) {
    return new ActivityError("host_not_allowed", cause.message, { cause, did_not_happen: true, transient: false });
  }
  const code = codeOf(cause);
  if (sent && code?.startsWith("HPE_")) {
    return new ActivityError("invalid_answer", `${url.host} sent an invalid HTTP response (${code})`, { cause });
  }
  if (sent) return new ActivityError("connection_lost", `${url.host} closed the connection before it responded`, how);
  switch (code) {
    case "ECONNREFUSED":
      return new ActivityError("connection_refused", `Nothing is listening on ${url.host}`, how);
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new ActivityError("unknown_host", `There is no host ${url.hostname}`, how);
    default:
      return new ActivityError("connection_failed", `${url.host} cannot be reached (${code ?? cause})`, how);
  }
}

/** The failure that an answer tells which is not 2xx (P24). */
export function failureOf(answer: Incoming, url: URL): ActivityError {
  const { status, headers } = answer;
  const code = `http_${status}`;
  if (status < 400) {
    const target = headers.location ? ` to ${headers.location}` : "";
    return new ActivityError(
      code,
      `${url.host} redirects${target}, and redirects are not followed; register the final address`,
    );
  }
  return new ActivityError(code, messageOf(answer) ?? `${url.host} answered with status ${status}`, {
    // By its meaning, too many requests: this one was turned away.
    did_not_happen: status === 429,
    transient: status >= 500 || status === 408 || status === 429,
    ...retryAfter(headers["retry-after"]),
  });
}

function codeOf(cause: unknown): string | undefined {
  return cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : undefined;
}

/** A server that asks for a longer rest is asked again after this: a call must not wait for next year. */
const LONGEST_REST_MS = 3_600_000;

/** What a server says with `Retry-After`: seconds, or a date. */
export function retryAfter(header: string | undefined): { retry_after_ms?: number } {
  if (header === undefined) return {};
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? { retry_after_ms: Math.min(Math.max(0, ms), LONGEST_REST_MS) } : {};
}

/** What the server says went wrong: a problem's detail or title, `message`, or `error`. */
function messageOf(answer: Incoming): string | null {
  const read = readAnswer(answer);
  if (!read.ok || !isJsonObject(read.value)) return null;
  const { detail, title, message, error } = read.value;
  const texts: (Json | undefined)[] = [detail, message, isJsonObject(error) ? error.message : error, title];
  const text = texts.find((said) => typeof said === "string" && said !== "");
  return typeof text === "string" ? text.slice(0, LONGEST_MESSAGE) : null;
}
