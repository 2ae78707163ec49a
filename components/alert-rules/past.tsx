"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useDuration } from "@/components/format/use-duration.ts";
import { Link } from "@/components/ui/link.tsx";
import { addressOf } from "@/lib/alert-rules/address.ts";
import { hoursBefore } from "@/lib/alert-rules/evaluate.ts";
import { type Condition, METRIC_TRAITS } from "@/lib/alert-rules/rule.ts";
import type { Backtest } from "@/lib/api/shapes.ts";
import { PastChart } from "./past-chart.tsx";
import { useRuleWords } from "./use-rule-words.ts";

const HOUR_MS = 3_600_000;
/** Rows that are shown; the newest. */
const ROWS = 20;

interface PastProps {
  condition: Condition | null;
  past: Backtest | undefined;
  days: 7 | 30;
  onDays: (days: 7 | 30) => void;
}

/** What a rule would have done: a sentence first, then the chart, then each firing. */
export function Past({ condition, past, days, onDays }: PastProps) {
  const t = useTranslations("rules.try");
  const words = useRuleWords(past?.currency);
  const lacksPrices = condition?.metric === "cost" && past?.currency === null;
  const quiet = past ? past.firings.length - past.told : 0;
  const now = past?.points.at(-1)?.value ?? null;
  return (
    <section aria-label={t("chart")} className="past">
      <div className="past-head">
        <div className="min-w-0 grow" aria-live="polite">
          <h2>{past && condition ? t("title", { count: past.told, days }) : t("waits")}</h2>
          <p>
            {lacksPrices
              ? t("prices")
              : past &&
                condition &&
                [
                  t("now", { value: now === null ? t("none") : words.value(condition, now) }),
                  ...(quiet > 0 ? [t("quiet", { count: quiet })] : []),
                ].join(" · ")}
          </p>
        </div>
        <fieldset aria-label={t("label")} className="past-period">
          {([7, 30] as const).map((one) => (
            <button key={one} type="button" aria-pressed={one === days} onClick={() => onDays(one)}>
              {t("days", { days: one })}
            </button>
          ))}
        </fieldset>
      </div>
      {past && condition && (
        <>
          <PastChart condition={condition} past={past} />
          {past.firings.length > 0 && <Firings {...{ condition, past }} />}
        </>
      )}
    </section>
  );
}

function Firings({ condition, past }: { condition: Condition; past: Backtest }) {
  const t = useTranslations("rules.try");
  const words = useRuleWords(past.currency);
  const duration = useDuration();
  const format = useFormatter();
  const numbered = past.firings.map((firing, index) => ({ ...firing, number: index + 1 }));
  return (
    <div className="rule-scroll-x">
      <table className="rule-table" aria-label={t("firings")}>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">{t("number")}</span>
            </th>
            <th scope="col">{t("began")}</th>
            <th scope="col">{t("lasted")}</th>
            <th scope="col" className="num">
              {t("peak")}
            </th>
            <th scope="col">{t("open")}</th>
          </tr>
        </thead>
        <tbody>
          {numbered
            .slice(-ROWS)
            .reverse()
            .map(({ number, at, until, peak, told }) => {
              const [begin, end] = [Date.parse(at), Date.parse(until ?? past.to)];
              const hours = METRIC_TRAITS[condition.metric].hasWindow ? hoursBefore(condition) - 1 : 0;
              return (
                <tr key={at}>
                  <td>
                    <span className="past-disc" data-told={told}>
                      {format.number(number)}
                    </span>
                  </td>
                  <td className="tabular-nums" suppressHydrationWarning>
                    {words.time(at)}
                    {!told && <span className="rule-filter">{t("not_told")}</span>}
                  </td>
                  <td className={until === null ? "text-st-failed" : "text-fg-2"}>
                    {duration(Math.max(end - begin, 0))}
                    {until === null && `, ${t("still")}`}
                  </td>
                  <td className="num">{words.value(condition, peak)}</td>
                  <td>
                    <Link
                      href={addressOf(condition, begin - hours * HOUR_MS, Math.max(begin, end - 1))}
                      className="link"
                    >
                      {t("open")}
                    </Link>
                  </td>
                </tr>
              );
            })}
        </tbody>
      </table>
    </div>
  );
}
