import type { Clock } from "../../engine/ports.ts";
import type { ActivityError } from "../../engine/tools/activity.ts";

/** The maximum number of attempts. */
export const MOST_TRIES = 5;
/** The wait before the second attempt, doubled each time: in that time the portal's counter decreases by one. */
const FIRST_WAIT_MS = 500;
/** A portal that asks for a longer wait is not retried. */
export const LONGEST_REST_MS = 30_000;

/** Whether a failed call may be repeated: one with effects only if it was certainly not executed (P24). */
export function isRetryable(error: ActivityError, tries: number, repeatable: boolean): boolean {
  if (tries >= MOST_TRIES || (error.retry_after_ms ?? 0) > LONGEST_REST_MS) return false;
  return error.transient && (repeatable || error.did_not_happen);
}

/** The wait after this many attempts, ms: exponential backoff with jitter. `random` is from 0 to 1. */
export function waitAfter(tries: number, error: ActivityError, random: number): number {
  const full = FIRST_WAIT_MS * 2 ** (tries - 1);
  return Math.max(Math.round(full * (0.5 + random / 2)), error.retry_after_ms ?? 0);
}

/** Waits; throws the signal's reason if it aborts. */
export function sleep(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = () => {
      callOff();
      reject(signal.reason);
    };
    const callOff = clock.later(ms, () => {
      signal.removeEventListener("abort", stop);
      resolve();
    });
    signal.addEventListener("abort", stop, { once: true });
  });
}

/** Runs the work with a signal that aborts after `ms`, with `reason`, or with the given signal. */
export async function within<T>(
  ms: number,
  clock: Clock,
  signal: AbortSignal,
  reason: () => unknown,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const callOff = clock.later(ms, () => limit.abort(reason()));
  try {
    return await work(AbortSignal.any([signal, limit.signal]));
  } finally {
    callOff();
  }
}
