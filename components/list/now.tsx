"use client";

import { useFormatter, useTranslations } from "next-intl";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { agoOf } from "./row/ago.ts";

/** Often enough for a column that counts seconds, seldom enough to cost nothing. */
const TICK = 5_000;

const NowContext = createContext(0);

/** Gives what is below it one clock, which begins at the server's time so that the first paint is the same there and here. */
export function NowProvider({ initial, children }: { initial: number; children: ReactNode }) {
  const [now, setNow] = useState(initial);
  // The outside system is the clock.
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), TICK);
    return () => clearInterval(timer);
  }, []);
  return <NowContext value={now}>{children}</NowContext>;
}

/** The clock's time, epoch ms. */
export function useNow(): number {
  return useContext(NowContext);
}

/** How long ago a time was; the whole of it on hover. */
export function AgoTime({ at }: { at: string }) {
  const t = useTranslations("list.ago");
  const format = useFormatter();
  const now = useNow();
  const time = new Date(at);
  const ago = agoOf(time.getTime(), now);
  const words = () => {
    switch (ago.unit) {
      case "now":
        return t("now");
      case "hours_minutes":
        return t("hours_minutes", { hours: ago.hours, minutes: ago.minutes });
      case "date":
        return format.dateTime(time, {
          day: "numeric",
          month: "short",
          year: time.getFullYear() === new Date(now).getFullYear() ? undefined : "2-digit",
        });
      default:
        return t(ago.unit, { count: ago.count });
    }
  };
  return (
    <time dateTime={at} title={format.dateTime(time, { dateStyle: "medium", timeStyle: "medium" })}>
      {words()}
    </time>
  );
}
