"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import type { Overview } from "@/lib/api/shapes.ts";
import { countOf, type Lane, lanesOf } from "./lane.ts";
import { LaneChart } from "./lane-chart.tsx";
import { MarkedChart } from "./marked-chart.tsx";
import { listAddress, type Place } from "./place.ts";
import { useWords } from "./use-words.ts";

/** Figures of the period beside those of the one before, each with its course over time. */
export function Lanes({ overview, place }: { overview: Overview; place: Place }) {
  const t = useTranslations("overview");
  const words = useWords();
  const { buckets, now, earlier, grain } = overview;
  const lanes = lanesOf(words, overview);
  const [marked, setMarked] = useState<{ lane: number; index: number } | null>(null);
  const worseFrom = worstFrom(overview);
  const newest = grain === "hour" ? t("last_hour") : t("last_day");
  return (
    <section aria-label={t("lanes")} className="lanes">
      <div aria-hidden className="lane lane-head">
        <span>{grain === "hour" ? t("by_hour") : t("by_day")}</span>
        <span className="text-right">{t(`periods.${place.period}`)}</span>
        <span className="text-right narrow:hidden">{t("before")}</span>
        <span className="text-right">{t("change")}</span>
        <span />
        <span className="narrow:hidden">{newest}</span>
      </div>
      <ul>
        {lanes.map((lane, number) => (
          <li key={lane.name} className="lane" data-lines={lane.lines.length}>
            <div className="min-w-0">
              <h3 className="truncate font-medium text-fg">{t(`lane.${lane.name}.title`)}</h3>
              <p className="truncate text-11 text-fg-3">
                {t(`lane.${lane.name}.unit`, {
                  turns: now.turns,
                  calls: now.calls,
                  approvals: now.approvals,
                  grain,
                })}
              </p>
            </div>
            <Column lane={lane} className="lane-value" of={(line) => line.words(now)} />
            <Column lane={lane} className="text-fg-3 narrow:hidden" of={(line) => line.words(earlier)} />
            <Column
              lane={lane}
              className={lane.ink ? `font-semibold ${INK[lane.ink]}` : "text-fg-3"}
              of={(line) => line.change(now, earlier)}
            />
            <Marks
              lane={lane}
              buckets={buckets}
              grain={grain}
              place={place}
              worseFrom={lane.ink ? worseFrom : null}
              marked={marked?.lane === number ? marked.index : null}
              onMark={(index) => setMarked(index === null ? null : { lane: number, index })}
            />
            <Newest lane={lane} buckets={buckets} />
          </li>
        ))}
      </ul>
      <div className="lane-layer" aria-hidden>
        <Rules overview={overview} />
        {marked !== null && (
          <span className="lane-hair" style={{ left: `${((marked.index + 0.5) / buckets.length) * 100}%` }} />
        )}
      </div>
      <Axis overview={overview} place={place} />
    </section>
  );
}

const INK = { failed: "text-st-failed", escalated: "text-st-escalated" } as const;

interface ColumnProps {
  lane: Lane;
  className: string;
  of: (line: Lane["lines"][number]) => string;
}

function Column({ lane, className, of }: ColumnProps) {
  return (
    <div className={`text-right whitespace-nowrap tabular-nums ${className}`}>
      {lane.lines.map((line) => (
        <p key={line.name}>
          {line.name !== "" && <span className="sr-only">{line.name} </span>}
          {of(line)}
        </p>
      ))}
    </div>
  );
}

/** The values of the last whole hour or day, in the order of the lines' ends. */
function Newest({ lane, buckets }: { lane: Lane; buckets: Overview["buckets"] }) {
  const last = buckets.at(-2);
  if (!last) return null;
  return (
    <div className={`text-12 whitespace-nowrap tabular-nums narrow:hidden ${lane.ink ? INK[lane.ink] : "text-fg-2"}`}>
      {lane.lines.toReversed().map((line) => (
        <p key={line.name} className={lane.lines.length > 1 ? "text-11 text-fg-3" : "font-semibold"}>
          {line.name} {line.words(last.now)}
        </p>
      ))}
    </div>
  );
}

interface MarksProps {
  lane: Lane;
  buckets: Overview["buckets"];
  grain: Overview["grain"];
  place: Place;
  worseFrom: number | null;
  marked: number | null;
  onMark: (index: number | null) => void;
}

/** The chart of a lane is one link, to what is under the pointer, or where ← and → lead. */
function Marks({ lane, buckets, grain, place, worseFrom, marked, onMark }: MarksProps) {
  const t = useTranslations("overview");
  const words = useWords();
  const index = Math.min(marked ?? buckets.length - 1, buckets.length - 1);
  const bucket = buckets[index];
  if (!bucket) return <div />;
  const until =
    buckets[index + 1]?.at ?? new Date(Date.parse(bucket.at) + (grain === "hour" ? 1 : 24) * 3_600_000).toISOString();
  const at = grain === "hour" ? words.time(bucket.at) : words.date(bucket.at);
  const count = countOf(lane.name, bucket.now);
  const [line] = lane.lines;
  const share = lane.shareOf?.(bucket.now);
  const text = share
    ? t(`mark.${lane.name === "calls" ? "calls" : "turns"}`, { count, of: share[1], lane: t(`lane.${lane.name}.verb`) })
    : t("mark.amount", {
        name: t(`lane.${lane.name}.title`),
        value: lane.lines.map((one) => one.words(bucket.now)).join(" · "),
      });
  const before = t("mark.before", { value: line ? line.words(bucket.earlier) : words.none });
  return (
    <MarkedChart
      {...{ index, at, text, before, onMark }}
      count={buckets.length}
      isMarked={marked !== null}
      href={listAddress(place, { happened: lane.happened, since: bucket.at, until })}
      opens={t("mark.opens", { count })}
    >
      <LaneChart lane={lane} buckets={buckets} worseFrom={worseFrom} />
    </MarkedChart>
  );
}

/** A release is a rule through every lane; red where something got worse with it. */
function Rules({ overview: { releases, findings, from, to } }: { overview: Overview }) {
  const whole = Date.parse(to) - Date.parse(from);
  const placed = releases.map(({ agent, version, at }) => ({
    name: `${agent} ${version}`,
    left: (Date.parse(at) - Date.parse(from)) / whole,
    isBad: findings.some((finding) => finding.agent === agent && finding.version === version),
  }));
  return placed.map(({ name, left, isBad }, index) => {
    const next = placed[index + 1];
    // A name that the next one would cover is left out: it is among the versions below.
    const isCovered = !isBad && next !== undefined && next.left - left < NAME_WIDTH * (isAtEnd(next.left) ? 2 : 1);
    return (
      <span
        key={name}
        className="lane-release"
        data-bad={isBad}
        data-flipped={isAtEnd(left) || undefined}
        style={{ left: `${left * 100}%` }}
      >
        {!isCovered && <b>{name}</b>}
      </span>
    );
  });
}

/** The width of a release's name, as a part of the chart's. */
const NAME_WIDTH = 0.09;

/** There is no room for a name on the right: it would cover the heading of the last column. */
function isAtEnd(left: number): boolean {
  return left > 1 - NAME_WIDTH;
}

function Axis({ overview: { buckets, grain }, place }: { overview: Overview; place: Place }) {
  const t = useTranslations("overview");
  const words = useWords();
  const every =
    place.period === "24h"
      ? 4
      : place.period === "7d"
        ? 24
        : place.period === "30d"
          ? 5
          : place.period === "90d"
            ? 14
            : 61;
  const first = grain === "hour" ? buckets.findIndex(({ at }) => Number.parseInt(words.hour(at), 10) % every === 0) : 0;
  const ticks = buckets.flatMap(({ at }, index) =>
    index >= first && (index - first) % every === 0 ? [{ at, index }] : [],
  );
  return (
    <div aria-hidden className="lane lane-axis">
      <span className="lane-axis-note">{t("axis", { period: t(`periods.${place.period}`) })}</span>
      <div className="lane-ticks">
        {ticks.map(({ at, index }) => (
          <span key={at} style={{ left: `${(index / buckets.length) * 100}%` }}>
            {place.period === "24h" ? words.hour(at) : grain === "hour" ? words.day(at) : words.month(at)}
          </span>
        ))}
      </div>
    </div>
  );
}

/** Since when it is worse: since the version to blame came, or all the time. */
function worstFrom({ findings, buckets }: Overview): number {
  const since = findings.find((finding) => finding.since !== null)?.since;
  const from = since ? buckets.findIndex(({ at }) => at >= since) : 0;
  return Math.max(0, from);
}
