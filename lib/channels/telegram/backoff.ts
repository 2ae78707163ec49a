import { setTimeout as sleep } from "node:timers/promises";

/** The wait after the first failure; it doubles each time. */
const FIRST_WAIT_MS = 500;
/** The maximum wait. */
const LONGEST_WAIT_MS = 60_000;
/** The maximum delay of Node's timers. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The wait after a number of failures, ms: exponential backoff with jitter. `random` is from 0 to 1. */
export function waitAfter(failures: number, random: number): number {
  const full = Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
  return Math.round(full * (0.5 + random / 2));
}

/** Waits; throws if the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.min(ms, LONGEST_TIMER_MS), undefined, { signal });
}
