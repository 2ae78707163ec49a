/**
 * Creates a queue that resumes one waiter per iteration of the event loop, in order. `between`: how many iterations are
 * left to other work before each.
 */
export function createIterationQueue(between = 0): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let left = between;
  const next = () => {
    if (left === 0) waiting.shift()?.();
    left = left === 0 ? between : left - 1;
    if (waiting.length > 0) setImmediate(next);
  };
  return () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (waiting.push(resolve) === 1) setImmediate(next);
    return promise;
  };
}
