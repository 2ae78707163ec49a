"use client";

import { useFormatter, useTranslations } from "next-intl";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { agoOf } from "./row/ago.ts";

/** The tick, ms: fine enough for a column of seconds. */
const TICK = 5_000;

const NowContext = createContext(0);

/** Provides a clock that starts at the server's time, so that server and client render the same. */
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

/** A relative time, with the full date in a tooltip. */
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
    <time dateTime={at} title={format.dateTime(time, { dateStyle: "medium", timeStyle: "medium", hour12: false })}>
      {words()}
    </time>
  );
}
