import { performance } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";

/** What a thread may hold more than after the last collection, in bytes. */
const MOST_GROWTH = 32 * 1024 * 1024;
/** The share of time in which an idle thread may be busy. */
const MOST_UTILIZATION = 0.05;

/**
 * Collects this thread's garbage when it was idle for `ms` and holds much more than after the last collection: V8 itself
 * collects only when something is allocated (decision 54). Needs `--expose-gc`; without it nothing is done. `heldBytes`: by
 * default the thread's heap and buffers.
 */
export function collectWhenIdle(ms: number, heldBytes: () => number = ownBytes): void {
  const { gc } = globalThis;
  if (!gc) return;
  // What the start has left is collected the first time.
  let least = 0;
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    const held = heldBytes();
    least = Math.min(least, held);
    if (utilization > MOST_UTILIZATION || held < least + MOST_GROWTH) return;
    // Other collections keep the pages that have become free.
    void gc({ type: "major", execution: "sync", flavor: "last-resort" });
    least = heldBytes();
  }, ms);
  timer.unref();
}

function ownBytes(): number {
  const { total_heap_size, external_memory } = getHeapStatistics();
  return total_heap_size + external_memory;
}
