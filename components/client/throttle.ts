/** Delay before a failed task runs again, ms. */
const AGAIN = 2_000;

/**
 * Runs `task` at once if the last run is `pace` ms ago, and once more at the end of the interval if it was called in
 * between. Runs never overlap, so that an older response cannot arrive last. A rejected task runs again.
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
