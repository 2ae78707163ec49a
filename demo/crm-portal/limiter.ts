/** Bitrix24's limit on the pace of requests. */
export interface Limits {
  /** How many requests a second it bears for ever. */
  perSecond: number;
  /** How many it takes at once. */
  burst: number;
}

/** A leaky bucket, as Bitrix24 describes it. The function tells whether one more request is within the limits. */
export function createLimiter({ perSecond, burst }: Limits): () => boolean {
  let level = 0;
  let filledAt = performance.now();
  return () => {
    const now = performance.now();
    level = Math.max(0, level - ((now - filledAt) / 1000) * perSecond);
    filledAt = now;
    if (level + 1 > burst) return false;
    level += 1;
    return true;
  };
}
