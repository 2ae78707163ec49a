"use client";

import { useEffect, useState } from "react";

/** Counts the seconds down that are to be waited since a moment (epoch ms); 0 where there is nothing to wait for. */
export function useSecondsLeft(wait: number | null, since: number): number {
  const [now, setNow] = useState(0);
  const ends = wait === null ? 0 : since + wait * 1_000;
  const left = Math.max(0, Math.ceil((ends - Math.max(now, since)) / 1_000));
  const isCounting = left > 0;

  // The outside system is the clock.
  useEffect(() => {
    if (!isCounting) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isCounting]);

  return left;
}
