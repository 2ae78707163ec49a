"use client";

import { useFormatter, useTranslations } from "next-intl";
import { type Condition, RULE_FILTERS } from "@/lib/alert-rules/rule.ts";

/** The words of alert rules: values with their units, conditions as sentences. */
export function useRuleWords(currency: string | null = null) {
  const t = useTranslations("rules");
  const format = useFormatter();

  function value({ metric }: Pick<Condition, "metric">, amount: number): string {
    switch (metric) {
      case "error_rate":
        return format.number(amount, { style: "percent", maximumFractionDigits: 1 });
      case "cost":
        return currency === null
          ? format.number(amount, { maximumFractionDigits: 2 })
          : format.number(amount, { style: "currency", currency, maximumFractionDigits: 2 });
      case "score":
        return format.number(amount, { maximumFractionDigits: 2 });
      case "stuck_run":
      case "approval_wait":
        return t("value.minutes", { value: format.number(Math.round(amount)) });
      case "error_returned":
        return t("value.days", { value: Math.round(amount) });
      default:
        return metric satisfies never;
    }
  }

  return {
    value,
    /** With the year, where it is another one. */
    time: (at: string) => {
      const date = new Date(at);
      const isOther = date.getFullYear() !== new Date().getFullYear();
      return format.dateTime(date, {
        ...(isOther ? { year: "numeric" } : { weekday: "short" }),
        ...{ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hour12: false },
      });
    },
    day: (at: string) => format.dateTime(new Date(at), { day: "numeric", month: "short" }),
    /** What it fires for, without "fires when". */
    sentence: (condition: Condition) =>
      t(`says.${condition.metric}`, {
        of: condition.tool ?? condition.score ?? t("says.turns"),
        window: t("hours", { count: condition.window_hours }),
        operator: t(`field.${condition.operator}`),
        value: value(condition, condition.threshold),
      }),
    /** By what it is narrowed: `agent support`. */
    filters: (condition: Condition) =>
      RULE_FILTERS.flatMap((name) => {
        const filter = condition[name];
        return filter === undefined || name === "tool" ? [] : [`${t(`field.${name}`)}: ${filter}`];
      }),
  };
}
