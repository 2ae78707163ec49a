import { Histogram, type Registry } from "prom-client";

/** So often somebody is taken to ask, ms. */
const EVERY_MS = 20;

/** The longest stall that is counted to its beginning, ms; Prometheus has long called by then. */
const LONGEST_MS = 60_000;

/** Nobody should wait for a tenth of a second. */
const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/**
 * Counts how long requests wait until the server turns to them. The percentiles of `nodejs_eventloop_lag` are of turns of the
 * event loop, and a stall of twenty seconds is one turn among thousands: here it is a thousand requests that came meanwhile.
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

/** How long each would have waited who came from `due` on, ms; times are of one clock, ms. */
export function waitsSince(due: number, now: number): number[] {
  const late = Math.min(Math.max(0, now - due), LONGEST_MS);
  return Array.from({ length: Math.floor(late / EVERY_MS) + 1 }, (_, index) => late - index * EVERY_MS);
}
