"use client";

import { useFormatter } from "next-intl";

const CLOCK = { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false } as const;

/** A time in the reader's time zone: the time of day in the margin, the full date if `long`. */
export function TranscriptTime({ at, long = false }: { at: string | null; long?: boolean }) {
  const format = useFormatter();
  if (at === null) return <span className="transcript-no-time">–</span>;
  const date = new Date(at);
  return (
    <time dateTime={at}>
      {long
        ? format.dateTime(date, { dateStyle: "long", timeStyle: "short", hour12: false })
        : format.dateTime(date, CLOCK)}
    </time>
  );
}

/** A heading with the date, in the reader's time zone. */
export function TranscriptDay({ at, before }: { at: string | null; before: string | null }) {
  const format = useFormatter();
  const dayOf = (time: string) => format.dateTime(new Date(time), { dateStyle: "full" });
  if (at === null || (before !== null && dayOf(before) === dayOf(at))) return null;
  return <p className="transcript-day">{dayOf(at)}</p>;
}
