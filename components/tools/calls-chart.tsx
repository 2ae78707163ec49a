"use client";

import { useTranslations } from "next-intl";
import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { Course } from "@/components/overview/lane-chart.tsx";
import { listAddress, type Place } from "@/components/overview/place.ts";
import { useWords } from "@/components/overview/use-words.ts";
import { Link } from "@/components/ui/link.tsx";
import type { ToolReport } from "@/lib/api/shapes.ts";
import { Figures } from "./figures.tsx";

const HEIGHT = 100;

/** Calls by hour or day with the failed ones at the foot, over those of the period before. One link, as in the overview. */
export function CallsChart({ report, place }: { report: ToolReport; place: Place }) {
  const t = useTranslations("overview");
  const words = useWords();
  const { buckets, grain, name, to } = report;
  const [marked, setMarked] = useState<number | null>(null);
  const highest = Math.max(1, ...buckets.flatMap(({ count, earlier }) => [count, earlier]));
  const y = (value: number) => HEIGHT - (value / highest) * HEIGHT;
  const index = Math.min(marked ?? buckets.length - 1, buckets.length - 1);
  const bucket = buckets[index];
  const print = grain === "hour" ? words.time : words.date;
  const textOf = ({ count, failed }: { count: number; failed: number }) => t("tools.mark", { count, failed });
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (step === 0) return;
    event.preventDefault();
    setMarked(Math.max(0, Math.min(buckets.length - 1, index + step)));
  };
  const onPointerMove = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setMarked(Math.max(0, Math.min(buckets.length - 1, Math.floor(((clientX - left) / width) * buckets.length))));
  };
  const first = buckets[0];
  const middle = buckets[Math.floor(buckets.length / 2)];
  return (
    <section aria-labelledby="calls" className="tool-chart-box">
      <h2 id="calls">
        {grain === "hour" ? t("tools.by_hour") : t("tools.by_day")}{" "}
        <span className="font-normal text-fg-3">{t("tools.highest", { count: highest })}</span>
      </h2>
      <div className="tool-plot">
        <svg aria-hidden viewBox={`0 0 ${buckets.length} ${HEIGHT}`} preserveAspectRatio="none" className="tool-chart">
          {buckets.map(({ at, count, failed }, number) => (
            <g key={at}>
              {count > 0 && (
                <rect x={number + 0.1} width={0.8} y={y(count)} height={HEIGHT - y(count)} className="lane-bar" />
              )}
              {failed > 0 && (
                <rect x={number + 0.1} width={0.8} y={y(failed)} height={HEIGHT - y(failed)} className="bar-failed" />
              )}
            </g>
          ))}
          <Course values={buckets.map(({ earlier }) => earlier)} y={y} className="lane-before" />
          <path d={`M0 ${HEIGHT}H${buckets.length}`} className="lane-base" />
        </svg>
        {bucket && (
          <Link
            href={listAddress(place, {
              happened: bucket.failed > 0 ? "failed_call" : "call",
              tool: name,
              since: bucket.at,
              until: buckets[index + 1]?.at ?? to,
            })}
            aria-label={`${print(bucket.at)}: ${textOf(bucket)}`}
            className="absolute inset-0"
            onKeyDown={onKeyDown}
            onPointerMove={onPointerMove}
            onPointerLeave={() => setMarked(null)}
            onFocus={() => setMarked(index)}
            onBlur={() => setMarked(null)}
          />
        )}
        {marked !== null && bucket && (
          <div aria-hidden className="lane-tip-at" style={{ left: `${((index + 0.5) / buckets.length) * 100}%` }}>
            <div className="lane-tip" data-side={index > buckets.length / 2 ? "left" : "right"}>
              <p>
                <b className="font-semibold">{textOf(bucket)}</b>{" "}
                <span className="text-fg-3">{t("mark.before", { value: words.number(bucket.earlier) })}</span>
              </p>
              <p className="text-fg-3">{print(bucket.at)}</p>
            </div>
          </div>
        )}
      </div>
      <div aria-hidden className="tool-axis">
        <span>{first && (grain === "hour" ? words.day(first.at) : words.month(first.at))}</span>
        <span>{middle && (grain === "hour" ? words.day(middle.at) : words.month(middle.at))}</span>
        <span>{grain === "hour" ? words.day(to) : words.month(to)}</span>
      </div>
      <Figures
        label={t("table")}
        head={[grain === "hour" ? t("hour") : t("day"), t("tools.calls"), t("lane.failed.title"), t("before")]}
        rows={buckets
          .filter(({ count, earlier }) => count + earlier > 0)
          .map(({ at, count, failed, earlier }) => [print(at), ...[count, failed, earlier].map(words.number)])}
      />
    </section>
  );
}
