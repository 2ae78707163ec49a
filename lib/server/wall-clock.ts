import type { Clock } from "../engine/ports.ts";

/** The maximum delay of Node's timers, 24.8 days: longer ones fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A monotonic clock for timeouts, which starts at the system's time. Not for times that are shown. */
export const steadyClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  later: (ms, act) => wallClock.later(ms, act),
};

/** The system clock. */
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
