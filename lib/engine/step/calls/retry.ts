import type { Handler } from "../../tools/tools.ts";
import type { CallResult } from "./finish-call.ts";

/** Wait before the first further try, doubled for each one after it. */
const FIRST_WAIT_MS = 500;
/** No wait is longer, unless the other side asks for it. */
const LONGEST_WAIT_MS = 60_000;

/** A try's failure: what it says, and whether trying again is safe and may help. */
export interface TryError {
  code: string;
  message: string;
  did_not_happen: boolean;
  transient: boolean;
  retry_after_ms: number | null;
}

/** A try that took too long. */
export function timedOut(timeoutMs: number): TryError {
  const message = `It did not respond within ${timeoutMs} ms`;
  return { code: "timed_out", message, did_not_happen: false, transient: true, retry_after_ms: null };
}

/** What came of one try. */
export type Outcome = { ok: true; result: CallResult } | { ok: false; error: TryError };

/** Tells whether a call may be tried once more: one that is not idempotent only when it certainly did not happen (P24). */
export function mayRetry(handler: Pick<Handler, "idempotent" | "retries">, retries: number, error: TryError): boolean {
  return retries < handler.retries && (error.did_not_happen || (handler.idempotent && error.transient));
}

/**
 * The wait before the next try, in ms: growing, and random, so that calls that failed together do not
 * come back together. `random` is from 0 to 1.
 */
export function waitBeforeRetry(retries: number, error: TryError, random: number): number {
  const full = Math.min(FIRST_WAIT_MS * 2 ** retries, LONGEST_WAIT_MS);
  return Math.max(Math.round(full * (0.5 + random / 2)), error.retry_after_ms ?? 0);
}
