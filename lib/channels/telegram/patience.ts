import { setTimeout as sleep } from "node:timers/promises";

/** The wait after the first failure, doubled for each one after it. */
const FIRST_WAIT_MS = 500;
/** Telegram, or a full disk, is asked again at least so often. */
const LONGEST_WAIT_MS = 60_000;
/** What Node's timers can wait. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * The wait after so many failures, in ms: growing, and each time another one, so that what failed together does not come
 * back together. `random` is from 0 to 1.
 */
export function waitAfter(failures: number, random: number): number {
  const full = Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
  return Math.round(full * (0.5 + random / 2));
}

/** Waits; throws when the signal comes first. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.min(ms, LONGEST_TIMER_MS), undefined, { signal });
}
