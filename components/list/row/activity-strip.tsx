import { memo } from "react";
import type { Activity, ConversationStatus } from "@/lib/session/session.ts";
import { STRIP, stripGeometry } from "./strip-geometry.ts";

const MARK_FILL = {
  approval: "fill-k-approval",
  error: "fill-k-error",
  manager: "fill-st-escalated",
} as const;

/** A sparkline of a conversation: events over time, notable ones, and whether it is running. */
export const ActivityStrip = memo(function ActivityStrip({
  activity,
  status,
}: {
  activity: Activity;
  status: ConversationStatus;
}) {
  const { bars, marks, waitingFrom } = stripGeometry(activity, status);
  const { base, bar, width, height } = STRIP;
  return (
    <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" className="strip" aria-hidden>
      <path d={`M0 ${base + 0.5}H${width}`} className="stroke-line" />
      <path d={bars.map(({ x, height: h }) => `M${x} ${base}v${-h}h${bar}v${h}z`).join("")} className="fill-k-run" />
      {marks.map(({ x, kind }) =>
        kind === "approval" ? (
          <rect key={x} x={x} y={17.5} width={bar} height={2.5} className={MARK_FILL[kind]} />
        ) : (
          <path key={x} d={`M${x} 1h${bar}v15h${-bar}zM${x - 1.5} 17h6l-3 3.5z`} className={MARK_FILL[kind]} />
        ),
      )}
      {waitingFrom !== null && (
        <rect x={waitingFrom} y={17.5} width={width - waitingFrom} height={2.5} className={MARK_FILL.approval} />
      )}
      {status === "running" && (
        <circle cx={width - 2.5} cy={base} r={2.8} className="fill-st-running stroke-surface" strokeWidth={1.2} />
      )}
    </svg>
  );
});
