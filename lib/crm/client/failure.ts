import { ActivityError } from "../../engine/tools/activity.ts";
import type { ExchangeError, Incoming } from "../../engine/tools/http/exchange.ts";
import { failureWithoutAnswer, retryAfter } from "../../engine/tools/http/failure.ts";
import type { Refusal } from "./answer.ts";
import type { Webhook } from "./webhook.ts";

/** A request and its recipient. */
export interface Asked {
  method: string;
  /** It may be repeated: it is read-only. */
  repeatable: boolean;
  webhook: Webhook;
}

/** The maximum length of an error message. */
const LONGEST_MESSAGE = 1_000;

/** Codes of methods that were not executed because of rate limits. */
const LIMITS = new Set(["QUERY_LIMIT_EXCEEDED", "OPERATION_TIME_LIMIT"]);

const NEW_WEBHOOK = "create a new inbound webhook in the portal and set BITRIX24_WEBHOOK_URL to its address";
/** Remedies for codes that the operator can do something about. */
const REMEDIES = new Map(
  Object.entries({
    INVALID_CREDENTIALS: NEW_WEBHOOK,
    NO_AUTH_FOUND: NEW_WEBHOOK,
    expired_token: NEW_WEBHOOK,
    insufficient_scope: "give the inbound webhook this right in the portal",
    connection_refused: "check that the portal runs and that BITRIX24_WEBHOOK_URL is its address",
    unknown_host: "check BITRIX24_WEBHOOK_URL",
    connection_failed: "check the network and BITRIX24_WEBHOOK_URL",
    answer_too_large: "ask for less with select, filter or limit",
  }),
);

/** The portal's error; without a code, the status is the code (`http_400`). */
export function refused({ error, error_description }: Refusal, answer: Incoming, asked: Asked): ActivityError {
  const { webhook } = asked;
  const code = webhook.hide(error) || `http_${answer.status}`;
  const said = webhook.hide(error_description).slice(0, LONGEST_MESSAGE);
  const message = said || `${webhook.host} refuses ${asked.method} (${code})`;
  const limited = LIMITS.has(error) || answer.status === 429;
  return failed(code, message, asked, {
    did_not_happen: limited,
    transient: limited || answer.status >= 500,
    ...retryAfter(answer.headers["retry-after"]),
  });
}

/** An error status without a portal's JSON: from a proxy, or another server. */
export function failedByStatus(answer: Incoming, asked: Asked): ActivityError {
  const { status, headers } = answer;
  const { host } = asked.webhook;
  if (status < 400) {
    // Its path may be the webhook's.
    const target = URL.parse(headers.location ?? "")?.origin;
    const where = target && target !== "null" ? ` to ${target}` : "";
    const message = `${host} redirects${where}, and redirects are not followed; set BITRIX24_WEBHOOK_URL to the portal's own address`;
    return new ActivityError(`http_${status}`, message);
  }
  const limited = status === 429;
  return failed(`http_${status}`, `${host} answered ${asked.method} with status ${status}`, asked, {
    did_not_happen: limited,
    transient: limited || status >= 500 || status === 408,
    ...retryAfter(headers["retry-after"]),
  });
}

/** An invalid body; `what` follows "answered". */
export function notAnAnswer(what: string, asked: Asked): ActivityError {
  const message = `${asked.webhook.host} answered ${asked.method} with ${what}; check that BITRIX24_WEBHOOK_URL is the address of an inbound webhook`;
  return failed("invalid_answer", asked.webhook.hide(message), asked, { transient: false });
}

/** The failure of a request without a complete response. */
export function unanswered(error: ExchangeError, asked: Asked, signal: AbortSignal): ActivityError {
  const { code, message, did_not_happen, transient, cause } = failureWithoutAnswer(
    error,
    asked.webhook.addressOf(asked.method),
    signal,
  );
  return failed(code, message, asked, { did_not_happen, transient, cause });
}

/** A timeout. */
export function tookTooLong(ms: number, sent: boolean, asked: Asked): ActivityError {
  const message = `${asked.webhook.host} did not answer ${asked.method} within ${ms} ms`;
  return failed("timed_out", message, asked, { did_not_happen: !sent, transient: true });
}

type How = ConstructorParameters<typeof ActivityError>[2] & object;

function failed(code: string, message: string, { repeatable }: Asked, how: How): ActivityError {
  const lost = how.transient || code === "invalid_answer" || code === "answer_too_large";
  const uncertain = lost && !how.did_not_happen && !repeatable;
  const remedies = [
    REMEDIES.get(code),
    uncertain ? "the outcome is unknown, so check the portal before you retry" : undefined,
  ].filter((remedy) => remedy !== undefined);
  return new ActivityError(code, [message, ...remedies].join("; "), how);
}
