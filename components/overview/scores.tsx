"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Link } from "@/components/ui/link.tsx";
import type { Overview } from "@/lib/api/shapes.ts";
import { Course } from "./lane-chart.tsx";
import { MarkedChart } from "./marked-chart.tsx";
import { listAddress, type Place } from "./place.ts";
import { toolAddress } from "./tool-address.ts";
import { useWords } from "./use-words.ts";

type Score = Overview["scores"][number];
type Figure = Score["now"];

/** Values of a dimension that are shown; all are in the API. */
const SHOWN = 6;

/** The scores of the period by name, beside those of the period before, over time, and by version, agent and tool. */
export function Scores({ overview, place }: { overview: Overview; place: Place }) {
  const t = useTranslations("overview");
  const { scores } = overview;
  if (scores.length === 0) return null;
  return (
    <section aria-label={t("scores.title")} className="lanes">
      <div className="where-head">
        <h2>{t("scores.title")}</h2>
        <p>{t("scores.explain")}</p>
        <nav>
          <Link href="/overview/judges">{t("scores.judges")}</Link>
        </nav>
      </div>
      <ul>
        {scores.map((score) => (
          <li key={JSON.stringify([score.name, score.kind, score.category])} className="score">
            <Lane score={score} overview={overview} place={place} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface LaneProps {
  score: Score;
  overview: Overview;
  place: Place;
}

function Lane({ score, overview, place }: LaneProps) {
  const t = useTranslations("overview");
  const { now, earlier } = score;
  const { print, change, label, filter } = useScoreWords(score);
  return (
    <>
      <div className="lane">
        <div className="min-w-0">
          <h3 className="truncate font-medium text-fg">{label}</h3>
          <p className="truncate text-11 text-fg-3">{t(`scores.unit.${score.kind}`, { count: now.count })}</p>
        </div>
        <div className="lane-value text-right tabular-nums">
          {now.count === 0 ? (
            print(now)
          ) : (
            <Link
              href={listAddress(place, {
                happened: "scored",
                score: score.kind === "boolean" ? `${score.name}=false` : filter,
                since: overview.from,
                until: overview.to,
              })}
              title={t(score.kind === "boolean" ? "scores.open_no" : "scores.open")}
            >
              {print(now)}
            </Link>
          )}
        </div>
        <div className="text-right tabular-nums text-fg-3 narrow:hidden">{print(earlier)}</div>
        <div className="text-right tabular-nums text-fg-3">{change(now, earlier)}</div>
        <Marks score={score} overview={overview} place={place} />
        <span className="narrow:hidden" />
      </div>
      <Breakdown score={score} overview={overview} place={place} />
    </>
  );
}

/** The chart of a score is one link, to what is under the pointer, or where ← and → lead. */
function Marks({ score, overview: { buckets, grain, to }, place }: LaneProps) {
  const t = useTranslations("overview");
  const words = useWords();
  const { print, filter, label } = useScoreWords(score);
  const [marked, setMarked] = useState<number | null>(null);
  const last = buckets.length - 1;
  const index = Math.min(marked ?? last, last);
  const bucket = buckets[index];
  const figures = score.buckets[index];
  if (!bucket || !figures) return <div />;
  const at = grain === "hour" ? words.time(bucket.at) : words.date(bucket.at);
  const text = t("mark.amount", { name: label, value: print(figures.now) });
  const before = t("mark.before", { value: print(figures.earlier) });
  return (
    <MarkedChart
      {...{ index, at, text, before }}
      count={buckets.length}
      isMarked={marked !== null}
      onMark={setMarked}
      href={listAddress(place, {
        ...{ happened: "scored", score: filter },
        ...{ since: bucket.at, until: buckets[index + 1]?.at ?? to },
      })}
      opens={t("scores.mark", { count: figures.now.count })}
    >
      <Chart score={score} />
    </MarkedChart>
  );
}

const HEIGHT = 100;

/** Now over the period before. Shares are from 0 to 1, numbers between their lowest and their highest. */
function Chart({ score: { kind, buckets } }: { score: Score }) {
  const now = buckets.map((bucket) => bucket.now.mean);
  const earlier = buckets.map((bucket) => bucket.earlier.mean);
  const known = [...now, ...earlier].filter((value) => value !== null);
  const low = kind === "number" ? Math.min(0, ...known) : 0;
  const high = kind === "number" ? Math.max(...known, low) : 1;
  const y = (value: number) => HEIGHT - ((value - low) / (high - low || 1)) * (HEIGHT - 6) - 3;
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${buckets.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full overflow-visible"
    >
      <path d={`M0 ${HEIGHT}H${buckets.length}`} className="lane-base" />
      <Course values={earlier} y={y} className="lane-before" />
      <Course values={now} y={y} className="lane-now" />
    </svg>
  );
}

/** The same score by version, agent and tool. */
function Breakdown({ score, overview: { from, to }, place }: LaneProps) {
  const t = useTranslations("overview");
  const { print, change, filter } = useScoreWords(score);
  const shown = (["version", "agent", "tool"] as const).filter((dimension) => score.where[dimension].length > 0);
  if (shown.length === 0) return null;
  return (
    <details className="score-where">
      <summary>{t("scores.by")}</summary>
      <div className="where-columns">
        {shown.map((dimension) => (
          <table key={dimension} className="score-table">
            <caption>{t(`where.dimension.${dimension}`)}</caption>
            <tbody>
              {score.where[dimension].slice(0, SHOWN).map(({ name, agent, before, ...now }) => (
                <tr key={JSON.stringify([agent, name])}>
                  <th scope="row" className="truncate">
                    {dimension === "tool" ? (
                      <Link href={toolAddress(name, place)}>{name}</Link>
                    ) : (
                      [agent, name].join(" ")
                    )}
                  </th>
                  <td>
                    <Link
                      href={listAddress(place, {
                        ...{ happened: "scored", score: filter, since: from, until: to, [dimension]: name },
                        ...(agent !== null && { agent }),
                      })}
                      title={t("scores.mark", { count: now.count })}
                    >
                      {print(now)}
                    </Link>
                  </td>
                  <td className="text-fg-3">{print(before)}</td>
                  <td className="text-fg-3">{change(now, before)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ))}
      </div>
    </details>
  );
}

/** The words of a score, and the filter of the list that it is. */
export function useScoreWords({ name, kind, category }: Pick<Score, "name" | "kind" | "category">) {
  const words = useWords();
  const isNumber = kind === "number";
  const round = (value: number) => Math.round(value * 100) / 100;
  return {
    label: category === null ? name : `${name}: ${category}`,
    filter: category === null ? name : `${name}=${category}`,
    print: ({ mean }: Figure) =>
      mean === null ? words.none : isNumber ? words.number(round(mean)) : words.percent(mean),
    change(now: Figure, before: Figure): string {
      if (now.mean === null || before.mean === null) return words.none;
      if (!isNumber) return words.points([now.mean, 1], [before.mean, 1]);
      const by = round(now.mean - before.mean);
      return `${by > 0 ? "+" : by < 0 ? "−" : ""}${words.number(Math.abs(by))}`;
    },
  };
}
