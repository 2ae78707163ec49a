"use client";

import { useTranslations } from "next-intl";
import { Link } from "@/components/ui/link.tsx";
import type { Overview } from "@/lib/api/shapes.ts";
import { countOf, lanesOf } from "./lane.ts";
import { listAddress, type Place } from "./place.ts";
import { useScoreWords } from "./scores.tsx";
import { useWords } from "./use-words.ts";

/** The same cells as the charts, newest first; each leads to what it counts. */
export function LaneTable({ overview, place }: { overview: Overview; place: Place }) {
  const t = useTranslations("overview");
  const words = useWords();
  const { buckets, grain, to } = overview;
  const lanes = lanesOf(words, overview);
  return (
    <section className="lane-table" aria-label={t("table")} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{grain === "hour" ? t("hour") : t("day")}</th>
            {lanes.map((lane) => (
              <th key={lane.name} scope="col">
                {t(`lane.${lane.name}.title`)}
                {lane.lines.length > 1 && <small>{lane.lines.map(({ name }) => name).join(" · ")}</small>}
              </th>
            ))}
            {overview.scores.map(({ name, kind, category }) => (
              <th key={JSON.stringify([name, kind, category])} scope="col">
                {category === null ? name : `${name}: ${category}`}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {buckets
            .map((bucket, index) => ({ ...bucket, until: buckets[index + 1]?.at ?? to, index }))
            .reverse()
            .map(({ at, until, now, index }) => (
              <tr key={at}>
                <th scope="row">{grain === "hour" ? words.time(at) : words.date(at)}</th>
                {lanes.map((lane) => {
                  const text = lane.lines.map((line) => line.words(now)).join(" · ");
                  const count = countOf(lane.name, now);
                  return (
                    <td key={lane.name}>
                      {count === 0 ? (
                        <span className="text-fg-3">{lane.shareOf ? text : lane.isBars ? "0" : words.none}</span>
                      ) : (
                        <Link href={listAddress(place, { happened: lane.happened, since: at, until })}>{text}</Link>
                      )}
                    </td>
                  );
                })}
                {overview.scores.map((score) => (
                  <td key={JSON.stringify([score.name, score.kind, score.category])}>
                    <ScoreCell score={score} index={index} place={place} since={at} until={until} />
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  );
}

interface ScoreCellProps {
  score: Overview["scores"][number];
  index: number;
  place: Place;
  since: string;
  until: string;
}

function ScoreCell({ score, index, place, since, until }: ScoreCellProps) {
  const { print, filter } = useScoreWords(score);
  const figure = score.buckets[index]?.now ?? { count: 0, mean: null };
  if (figure.count === 0) return <span className="text-fg-3">{print(figure)}</span>;
  return <Link href={listAddress(place, { happened: "scored", score: filter, since, until })}>{print(figure)}</Link>;
}
