"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useCostWords } from "@/components/format/use-cost-words.ts";
import { useDuration } from "@/components/format/use-duration.ts";
import type { Cost } from "@/lib/session/prices.ts";

const NONE = "–";

/** The words of figures: shares, changes, durations, times. */
export function useWords() {
  const t = useTranslations("overview");
  const format = useFormatter();
  const duration = useDuration();
  const cost = useCostWords();
  const number = (value: number) => format.number(value);
  const percent = (share: number, decimals = 1) =>
    format.number(share, { style: "percent", maximumFractionDigits: decimals, minimumFractionDigits: decimals });
  return {
    number,
    percent,
    none: NONE,
    /** `1.2 %` of a whole; a dash where there is no whole. */
    share: (part: number, whole: number) => (whole === 0 ? NONE : percent(part / whole)),
    amount: (value: number | null) => (value === null ? NONE : number(value)),
    duration: (ms: number | null) => (ms === null ? NONE : duration(ms < 10_000 ? roundTo(ms, 2) : roundTo(ms, 3))),
    cost: (costs: readonly Cost[], per: number) =>
      costs.length === 0 || per === 0 ? NONE : cost(costs.map((one) => ({ ...one, amount: one.amount / per }))),
    /** A change of an amount, in per cent of what it was. */
    change: (now: number | null, before: number | null) =>
      now === null || before === null || before === 0
        ? NONE
        : format.number(now / before - 1, { style: "percent", signDisplay: "exceptZero", maximumFractionDigits: 0 }),
    /** A change of a share, in percentage points. */
    points: (now: readonly [number, number], before: readonly [number, number]) =>
      now[1] === 0 || before[1] === 0
        ? NONE
        : t("points", {
            points: format.number((now[0] / now[1] - before[0] / before[1]) * 100, {
              signDisplay: "exceptZero",
              minimumFractionDigits: 1,
              maximumFractionDigits: 1,
            }),
          }),
    day: (at: string) => format.dateTime(new Date(at), { weekday: "short", day: "numeric" }),
    month: (at: string) => format.dateTime(new Date(at), { day: "numeric", month: "short" }),
    hour: (at: string) => format.dateTime(new Date(at), { hour: "2-digit", minute: "2-digit", hour12: false }),
    time: (at: string) =>
      format.dateTime(new Date(at), {
        ...{ weekday: "short", day: "numeric", month: "short" },
        ...{ hour: "2-digit", minute: "2-digit", hour12: false },
      }),
    date: (at: string) => format.dateTime(new Date(at), { weekday: "short", day: "numeric", month: "short" }),
  };
}

export type Words = ReturnType<typeof useWords>;

/** A number with so many digits that count. */
function roundTo(value: number, digits: number): number {
  return Number(value.toPrecision(digits));
}
