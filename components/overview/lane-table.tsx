"use client";

import { useTranslations } from "next-intl";
import { Link } from "@/components/ui/link.tsx";
import type { Overview } from "@/lib/api/shapes.ts";
import { countOf, lanesOf } from "./lane.ts";
import { listAddress, type Place } from "./place.ts";
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
          </tr>
        </thead>
        <tbody>
          {buckets
            .map((bucket, index) => ({ ...bucket, until: buckets[index + 1]?.at ?? to }))
            .reverse()
            .map(({ at, until, now }) => (
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
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  );
}
