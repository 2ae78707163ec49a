/**
 * Makes what lets one of those who wait go on in each turn of the event loop, in their order. `between`: so many turns belong to
 * everybody else before each of them.
 */
export function createTurns(between = 0): () => Promise<void> {
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
