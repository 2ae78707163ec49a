"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useCallback } from "react";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats milliseconds: `412 ms`, `1.94 s`, `2 h 14 min`, `3 d`. */
export function useDuration(): (ms: number) => string {
  const t = useTranslations("studio.duration");
  const format = useFormatter();
  return useCallback(
    (ms) => {
      const decimals = ms < 10 * SECOND ? 2 : 1;
      if (ms < SECOND) return t("ms", { value: format.number(Math.round(ms)) });
      if (ms < MINUTE) return t("s", { value: format.number(ms / SECOND, { maximumFractionDigits: decimals }) });
      if (ms < HOUR) return t("min", { value: Math.floor(ms / MINUTE) });
      if (ms < DAY) return t("h", { hours: Math.floor(ms / HOUR), minutes: Math.floor((ms % HOUR) / MINUTE) });
      return t("d", { value: Math.floor(ms / DAY) });
    },
    [t, format],
  );
}
