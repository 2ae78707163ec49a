"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useMemo } from "react";
import { useDuration } from "@/components/format/use-duration.ts";
import type { TimelineModel } from "@/lib/session/timeline/model.ts";
import type { Words } from "./words.ts";

const TIME = { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false } as const;
const DAY_AND_TIME = { day: "numeric", month: "short", ...TIME } as const;
const DAY = 86_400_000;

/** The texts of the canvas; in sessions of more than a day, times include the day. */
export function useWords(model: TimelineModel | null): Words {
  const t = useTranslations("timeline");
  const format = useFormatter();
  const duration = useDuration();
  const times = model?.time?.times;
  const isLong = times !== undefined && times !== null && (times.at(-1) ?? 0) - (times[0] ?? 0) > DAY;
  return useMemo(
    () => ({
      run: (number) => t("run", { number }),
      delegate: t("runWithin"),
      plan: t("plan"),
      answer: t("answer"),
      quote: (text) => t("quote", { text }),
      duration,
      offset: (ms) => t("offset", { duration: duration(ms) }),
      clock: (ms, digits) =>
        format.dateTime(ms, { ...(isLong ? DAY_AND_TIME : TIME), ...(digits && { fractionalSecondDigits: digits }) }),
      approval(tool, outcome, ms) {
        if (outcome === "open")
          return `${tool} · ${ms === null ? t("open") : t("waiting", { duration: duration(ms) })}`;
        // A fork closed it, so the time is not the decision's.
        if (outcome === "closed" || outcome === "forked") return `${tool} · ${t(outcome)}`;
        return ms === null ? tool : `${tool} · ${t(outcome, { duration: duration(ms) })}`;
      },
      turnSoFar(from, to, ms) {
        const steps = t("turnSoFar", { from, to });
        return ms === null ? steps : `${steps} · ${duration(ms)}`;
      },
    }),
    [t, format, duration, isLong],
  );
}
