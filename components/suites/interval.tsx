import type { SuiteRunReport } from "@/lib/api/shapes.ts";

type Share = SuiteRunReport["report"]["passed"];

interface IntervalProps {
  share: Share;
  /** Its own colour: of a verdict. */
  look?: "failed" | "flaky" | "passed" | "before";
  /** The share of an earlier run, as a tick. */
  before?: number | null;
  /** The left end of the axis, from 0 to 1. */
  from?: number;
}

/** A share with its interval on an axis to 100 %. The numbers stand beside it. */
export function Interval({ share, look = "passed", before = null, from = 0 }: IntervalProps) {
  const x = (value: number) => `${(Math.max(0, value - from) / (1 - from)) * 100}%`;
  return (
    <span className="interval" data-look={look} aria-hidden>
      <span className="interval-line" style={{ left: x(share.from), right: `calc(100% - ${x(share.to)})` }} />
      <span className="interval-dot" style={{ left: x(share.share) }} />
      {before !== null && <span className="interval-tick" style={{ left: x(before) }} />}
    </span>
  );
}
