/** Bitrix24's rate limit. */
export interface Limits {
  /** Requests per second. */
  perSecond: number;
  /** The burst size. */
  burst: number;
}

/**
 * A leaky bucket, as Bitrix24 documents it. The returned function says whether another request is within the limits.
 */
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
