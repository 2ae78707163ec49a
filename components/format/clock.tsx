"use client";

import { useFormatter } from "next-intl";
import { memo } from "react";

interface ClockProps {
  /** ISO 8601; nothing is shown without a time. */
  at: string | null;
  /** With milliseconds instead of minutes. */
  precise?: boolean;
  className?: string;
}

/** A time in the reader's time zone, with the full date in a tooltip. */
export const Clock = memo(function Clock({ at, precise = false, className = "" }: ClockProps) {
  const format = useFormatter();
  if (at === null) return null;
  const date = new Date(at);
  const short = precise
    ? ({ hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3, hour12: false } as const)
    : ({ hour: "2-digit", minute: "2-digit", hour12: false } as const);
  return (
    <time
      dateTime={at}
      title={format.dateTime(date, { dateStyle: "medium", timeStyle: "medium", hour12: false })}
      className={`whitespace-nowrap text-fg-3 tabular-nums ${className}`}
    >
      {format.dateTime(date, short)}
    </time>
  );
});
