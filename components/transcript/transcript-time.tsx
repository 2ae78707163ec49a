"use client";

import { useFormatter } from "next-intl";

/** When something was said or done, by the reader's clock: in the margin, or `long` in a sentence. */
export function TranscriptTime({ at, long = false }: { at: string | null; long?: boolean }) {
  const format = useFormatter();
  if (at === null) return <span className="transcript-no-time">–</span>;
  const date = new Date(at);
  if (long) return <time dateTime={at}>{format.dateTime(date, { dateStyle: "long", timeStyle: "short" })}</time>;
  return (
    <time dateTime={at}>
      {format.dateTime(date, { day: "numeric", month: "short", year: "numeric" })}
      <br />
      {format.dateTime(date, { hour: "2-digit", minute: "2-digit", second: "2-digit" })}
    </time>
  );
}
