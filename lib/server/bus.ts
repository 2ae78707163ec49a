import { createNotifier, type Notifier } from "../event-loop/notifier.ts";

/**
 * Notifies subscribers that the log has grown, with the newest position. It carries no events: readers pull from the log by
 * cursor (E13).
 */
export type Bus = Notifier<number>;

/**
 * The pause between notifications per subscriber, ms: waking a reader and writing to its socket takes some hundredths
 * of a millisecond, for one event or twenty. Two hundred are notified fifty times a second, a few at once.
 */
const REST_FOR_EACH_MS = 0.1;
const LONGEST_REST_MS = 50;

/** An in-process bus. */
export function createBus(): Bus {
  return createNotifier((listeners) => Math.floor(Math.min(LONGEST_REST_MS, listeners * REST_FOR_EACH_MS)));
}
