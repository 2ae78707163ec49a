import type { Clock } from "../engine/ports.ts";

/** The longest that Node's timers wait, 24.8 days: what is longer they take for no wait at all. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * A clock for what waits: it begins as the machine's and goes on evenly, wherever that is set meanwhile. Not for what people
 * are told of the time.
 */
export const steadyClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  later: (ms, act) => wallClock.later(ms, act),
};

/** The time of the machine. */
export const wallClock: Clock = {
  now: () => Date.now(),
  later(ms, act) {
    let timer: NodeJS.Timeout;
    const wait = (left: number) => {
      const part = Math.min(left, LONGEST_TIMER_MS);
      timer = setTimeout(() => (left > part ? wait(left - part) : act()), part);
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};
