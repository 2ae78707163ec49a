import type { Handler } from "../../tools/tools.ts";
import type { CallResult } from "./finish-call.ts";

/** The wait before the first retry; doubled for each further one. */
const FIRST_WAIT_MS = 500;
/** The longest wait, unless the server asks for a longer one (Retry-After). */
const LONGEST_WAIT_MS = 60_000;

/** The failure of an attempt: its error, and whether a retry is safe and may help. */
export interface TryError {
  code: string;
  message: string;
  did_not_happen: boolean;
  transient: boolean;
  retry_after_ms: number | null;
}

/** An attempt that exceeded its time limit. */
export function timedOut(timeoutMs: number): TryError {
  const message = `It did not respond within ${timeoutMs} ms`;
  return { code: "timed_out", message, did_not_happen: false, transient: true, retry_after_ms: null };
}

/** The outcome of an attempt. */
export type Outcome = { ok: true; result: CallResult } | { ok: false; error: TryError };

/** Whether a call may be retried: one that is not idempotent only if the attempt certainly had no effect (P24). */
export function mayRetry(handler: Pick<Handler, "idempotent" | "retries">, retries: number, error: TryError): boolean {
  return retries < handler.retries && (error.did_not_happen || (handler.idempotent && error.transient));
}

/**
 * The wait before the next attempt, in ms: exponential backoff with jitter, so that calls that failed together are not retried
 * together. `random` is from 0 to 1.
 */
export function waitBeforeRetry(retries: number, error: TryError, random: number): number {
  const full = fullWait(retries);
  return Math.max(Math.round(full * (0.5 + random / 2)), error.retry_after_ms ?? 0);
}

/** The `random` that a wait without `retry_after_ms` came of. */
export function jitterOf(retries: number, wait_ms: number): number {
  return Math.max((2 * wait_ms) / fullWait(retries) - 1, 0);
}

function fullWait(retries: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** retries, LONGEST_WAIT_MS);
}
