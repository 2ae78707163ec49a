import { Histogram, type Registry } from "prom-client";

/** The assumed interval of requests, ms. */
const EVERY_MS = 20;

/** The longest stall that is measured in full, ms; by then an alert has fired. */
const LONGEST_MS = 60_000;

/** More than a tenth of a second is bad. */
const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/**
 * Measures how long requests wait for the event loop. The percentiles of `nodejs_eventloop_lag` count iterations, so a
 * stall of twenty seconds is one among thousands; here it counts as the thousand requests that would have arrived
 * meanwhile.
 */
export function watchWaits(registers: Registry[]): void {
  const waits = new Histogram({
    name: "obelus_event_loop_wait_seconds",
    help: "How long a request waits for the event loop, sampled every 20 ms.",
    registers,
    buckets: SECONDS,
  });
  let due = performance.now() + EVERY_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    for (const wait of waitsSince(due, now)) waits.observe(wait / 1_000);
    due = now + EVERY_MS;
  }, EVERY_MS);
  timer.unref();
}

/** The waits of hypothetical requests since `due`, ms; times are of one clock, ms. */
export function waitsSince(due: number, now: number): number[] {
  const late = Math.min(Math.max(0, now - due), LONGEST_MS);
  return Array.from({ length: Math.floor(late / EVERY_MS) + 1 }, (_, index) => late - index * EVERY_MS);
}
