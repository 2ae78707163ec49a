/** What the tries of a case came to. `flaky`: some passed and some did not. */
export type Verdict = "passed" | "failed" | "flaky";

/** A share with its 95 % interval, all from 0 to 1. */
export interface Share {
  share: number;
  from: number;
  to: number;
}

/** The 97.5th percentile of the normal distribution. */
const Z = 1.959964;

export function verdictOf(passed: number, tries: number): Verdict {
  if (passed === tries && tries > 0) return "passed";
  return passed === 0 ? "failed" : "flaky";
}

/**
 * The share of passed tries with Wilson's 95 % score interval, which holds for few tries and at both ends: three of three are
 * 44 to 100 %, not 100 to 100.
 */
export function wilson(passed: number, tries: number): Share {
  if (tries === 0) return { share: 0, from: 0, to: 1 };
  const share = passed / tries;
  const scale = 1 + Z ** 2 / tries;
  const middle = share + Z ** 2 / (2 * tries);
  const half = Z * Math.sqrt((share * (1 - share) + Z ** 2 / (4 * tries)) / tries);
  return { share, from: Math.max(0, (middle - half) / scale), to: Math.min(1, (middle + half) / scale) };
}

/**
 * The change from one share to another, from -1 to 1, with its 95 % interval by Newcombe's hybrid score method. Count cases, not
 * tries: the tries of one case are not independent.
 */
export function changeOf(before: Share, after: Share): Share {
  const share = after.share - before.share;
  return {
    share,
    from: share - Math.hypot(after.share - after.from, before.to - before.share),
    to: share + Math.hypot(after.to - after.share, before.share - before.from),
  };
}
