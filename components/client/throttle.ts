/** A task that failed runs again after this time, ms: nobody else tells that what it looked at is old. */
const AGAIN = 2_000;

/**
 * Runs `task` at once when it has rested for `pace` ms, and once more at the end of a pace in which it was called. It never
 * runs twice at a time: of two answers the older could come last, and stay. A task that rejects runs again.
 */
export function throttle(task: () => unknown, pace: number): { call(): void; now(): void; cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  let wanted = false;
  let cancelled = false;
  const rest = (time: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      if (wanted) now();
    }, time);
  };
  const wait = async (run: Promise<unknown>) => {
    running = true;
    const failed = await run.then(
      () => false,
      () => true,
    );
    running = false;
    if (cancelled) return;
    if (failed) {
      wanted = true;
      rest(AGAIN);
    } else if (wanted && timer === undefined) now();
  };
  const now = () => {
    if (running) {
      wanted = true;
      return;
    }
    wanted = false;
    rest(pace);
    const run = task();
    if (run instanceof Promise) void wait(run);
  };
  return {
    call() {
      if (timer === undefined) now();
      else wanted = true;
    },
    now,
    cancel() {
      cancelled = true;
      clearTimeout(timer);
    },
  };
}
