import { useTranslations } from "next-intl";
import { Course } from "@/components/overview/lane-chart.tsx";
import type { Condition } from "@/lib/alert-rules/rule.ts";
import type { Backtest } from "@/lib/api/shapes.ts";
import { useRuleWords } from "./use-rule-words.ts";

const HEIGHT = 100;
/** Drawn a little below the top, so that the highest is not cut. */
const ROOM = 6;
const HOUR_MS = 3_600_000;
/** Labels of days at most. */
const DAYS = 7;

/** The value by the hour with the threshold; what is beyond it is marked. The table below says the same. */
export function PastChart({ condition, past }: { condition: Condition; past: Backtest }) {
  const t = useTranslations("rules.try");
  const words = useRuleWords(past.currency);
  const { points, firings } = past;
  const { threshold } = condition;
  const values = points.map(({ value }) => value);
  const known = values.filter((value) => value !== null);
  const lowest = Math.min(0, threshold, ...known);
  const highest = Math.max(
    threshold * 1.25,
    ...known.map((value) => Math.min(value, threshold <= 0 ? value : threshold * 8)),
    lowest + 0.000_1,
  );
  const y = (value: number) =>
    HEIGHT - ((Math.min(Math.max(value, lowest), highest) - lowest) / (highest - lowest)) * (HEIGHT - ROOM);
  const begin = Date.parse(past.from);
  const hourOf = (at: string) => (Date.parse(at) - begin) / HOUR_MS;
  const width = points.length;
  const percent = (hour: number) => `${(Math.min(Math.max(hour, 0), width) / width) * 100}%`;
  const days = points.filter((_, index) => index % Math.ceil(width / DAYS) === 0);
  return (
    <figure className="past-chart" aria-label={t("chart")}>
      <div className="past-plot" aria-hidden>
        <svg aria-hidden viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none">
          {firings.map(({ at, until, told }) => {
            const from = hourOf(at);
            return (
              <rect
                key={at}
                data-told={told}
                className="past-firing"
                x={from}
                y={0}
                height={HEIGHT}
                width={Math.max((until === null ? width : hourOf(until)) - from, width / 400)}
              />
            );
          })}
          <path d={`M0 ${HEIGHT}H${width}`} className="past-base" />
          <Course values={values} y={y} className="past-line" />
          <path d={`M0 ${y(threshold)}H${width}`} className="past-threshold" />
        </svg>
        <span className="past-at" style={{ top: `${y(threshold)}%` }}>
          {words.value(condition, threshold)}
        </span>
        {firings.slice(-MOST_NUMBERED).map(({ at, told }, index, shown) => (
          <span key={at} className="past-number" data-told={told} style={{ left: percent(hourOf(at)) }}>
            {firings.length - shown.length + index + 1}
          </span>
        ))}
      </div>
      <div className="past-days" aria-hidden suppressHydrationWarning>
        {days.map(({ at }) => (
          <span key={at} style={{ left: percent(hourOf(at)) }}>
            {words.day(at)}
          </span>
        ))}
      </div>
    </figure>
  );
}

/** More numbers would hide each other. */
const MOST_NUMBERED = 12;
