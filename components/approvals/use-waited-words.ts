"use client";

import { useTranslations } from "next-intl";
import { type Waited, waitedOf } from "./waited.ts";

/** Formats a duration in ms for a narrow column: `2 h 14 min`. */
export function useWaitedWords(): (ms: number) => string {
  const t = useTranslations("approvals.waited");
  const words = (waited: Waited) => {
    switch (waited.unit) {
      case "now":
        return t("now");
      case "minutes":
        return t("minutes", { minutes: waited.minutes });
      case "hours":
        return t("hours", { hours: waited.hours, minutes: waited.minutes });
      case "days":
        return t("days", { days: waited.days, hours: waited.hours });
      default:
        return waited satisfies never;
    }
  };
  return (ms) => words(waitedOf(ms));
}
