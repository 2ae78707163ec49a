/** Runs `task` at once when it has rested for `pace` ms, and once more at the end of a pace in which it was called. */
export function throttle(task: () => void, pace: number): { call(): void; now(): void; cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wanted = false;
  const now = () => {
    clearTimeout(timer);
    wanted = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (wanted) now();
    }, pace);
    task();
  };
  return {
    call() {
      if (timer === undefined) now();
      else wanted = true;
    },
    now,
    cancel() {
      clearTimeout(timer);
    },
  };
}
