import { createNotifier, type Notifier } from "../event-loop/notifier.ts";

/**
 * Notifies subscribers that the log has grown, with the newest position. It carries no events: readers pull from the log by
 * cursor (E13).
 */
export type Bus = Notifier<number>;

/**
 * For so long, ms, nobody is told again, for each who was told: to wake a reader and write to its socket costs some hundredths of a
 * millisecond, whether one event has come or twenty. Two hundred are told fifty times a second, and a few at once.
 */
const REST_FOR_EACH_MS = 0.1;
const LONGEST_REST_MS = 50;

/** A bus within this process. */
export function createBus(): Bus {
  return createNotifier((listeners) => Math.floor(Math.min(LONGEST_REST_MS, listeners * REST_FOR_EACH_MS)));
}
