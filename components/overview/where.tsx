"use client";

import { useTranslations } from "next-intl";
import { useChannelName } from "@/components/list/filters/channel-icon.tsx";
import { useStageNames } from "@/components/stages/use-stage-names.ts";
import { Link } from "@/components/ui/link.tsx";
import { versionsAddress } from "@/components/versions/place.ts";
import type { Overview } from "@/lib/api/shapes.ts";
import { isHigher } from "@/lib/rollup/findings.ts";
import { below } from "@/lib/rollup/sketch.ts";
import { type Happened, listAddress, MEASURES, type Measure, type Place, searchOf } from "./place.ts";
import { toolAddress } from "./tool-address.ts";
import { useWords, type Words } from "./use-words.ts";
import { isAlike } from "./verdict.tsx";

type Share = Overview["where"]["tool"][number];
type Dimension = keyof Overview["where"];

const DIMENSIONS: readonly Dimension[] = ["tool", "version", "agent", "model", "channel", "stage"];
/** Columns side by side: the last dimension is shown where another has no values. */
const COLUMNS = 5;
/** Rows that are shown of each dimension; all are in the API. */
const ROWS = 7;

/** By what it is worse: the share of each value, beside the period before. */
export function Where({ overview, place }: { overview: Overview; place: Place }) {
  const t = useTranslations("overview");
  const { by } = place;
  const shown = DIMENSIONS.filter(
    (dimension) => overview.where[dimension].length > 0 && !(by === "escalated" && dimension === "tool"),
  ).slice(0, COLUMNS);
  const values = shown.flatMap((dimension) => overview.where[dimension]);
  const highest = Math.max(
    ...values.flatMap((share) => [measured(share, by) ?? 0, measured(share.before, by) ?? 0]),
    by === "slow" ? 1 : 0.02,
  );
  return (
    <section aria-label={t("where.title")} className="where">
      <div className="where-head">
        <h2>{t("where.title")}</h2>
        <p>{t(`where.explain.${by}`)}</p>
        <nav aria-label={t("where.by")}>
          {MEASURES.map((measure) => (
            <Link
              key={measure}
              replace
              scroll={false}
              href={`/overview${searchOf(place, { by: measure })}`}
              aria-current={measure === by || undefined}
            >
              {t(`where.measure.${measure}`)}
            </Link>
          ))}
        </nav>
      </div>
      <div className="where-columns">
        {shown.map((dimension) => (
          <Column key={dimension} {...{ dimension, overview, place, highest }} />
        ))}
      </div>
    </section>
  );
}

interface ColumnProps {
  dimension: Dimension;
  overview: Overview;
  place: Place;
  highest: number;
}

function Column({ dimension, overview, place, highest }: ColumnProps) {
  const t = useTranslations("overview");
  const words = useWords();
  const { by } = place;
  const name = useNameOf(dimension);
  const shares = overview.where[dimension]
    .filter((share) => share.count > 0)
    .sort((one, other) => (measured(other, by) ?? 0) - (measured(one, by) ?? 0));
  const guilty = shares.filter((share) => isWorse(share, by));
  return (
    <section aria-label={t(`where.dimension.${dimension}`)} className="where-column">
      <h3>
        {t(`where.dimension.${dimension}`)}
        {guilty[0] ? (
          <span className="font-normal text-st-failed">{labelOf(guilty[0], name)}</span>
        ) : (
          by === "failed" &&
          isAlike(shares) && <span className="font-normal text-11 text-fg-3">{t("where.alike")}</span>
        )}
      </h3>
      <ul>
        {shares.slice(0, ROWS).map((share) => (
          <Row
            key={labelOf(share, String)}
            {...{ share, dimension, overview, place, highest, words }}
            name={labelOf(share, name)}
          />
        ))}
      </ul>
      {dimension === "version" && shares.length > 0 && (
        <Link
          href={versionsAddress({ agent: place.agent || (shares[0]?.agent ?? ""), period: place.period })}
          className="where-more touch"
        >
          {t("versions.compare")}
        </Link>
      )}
      {shares.length > ROWS && (
        <p className="px-3 pb-2 text-11 text-fg-3">{t("where.more", { count: shares.length - ROWS })}</p>
      )}
    </section>
  );
}

interface RowProps extends ColumnProps {
  share: Share;
  name: string;
  words: Words;
}

function Row({ share, dimension, overview, place, highest, words, name }: RowProps) {
  const t = useTranslations("overview");
  const { by } = place;
  const isHit = isWorse(share, by);
  const [value, before] = [measured(share, by), measured(share.before, by)];
  const print = (one: number | null) =>
    one === null ? words.none : by === "slow" ? words.duration(one) : words.percent(one);
  const width = (one: number) => `${Math.min(100, (one / highest) * 100)}%`;
  const narrowed =
    dimension === "tool"
      ? toolAddress(share.name, place)
      : `/overview${searchOf(place, { [dimension]: share.name, ...(share.agent !== null && { agent: share.agent }) })}`;
  return (
    <li className="where-row" data-hit={isHit}>
      <Link href={narrowed} title={name} className="where-name">
        {name}
      </Link>
      <Link
        href={listAddress(place, {
          happened: happenedBy(by, dimension === "tool"),
          ...{ [dimension]: share.name, ...(share.agent !== null && { agent: share.agent }) },
          ...{ since: overview.from, until: overview.to },
          ...(by === "slow" && value !== null && value > 0 && { over: below(value) }),
        })}
        aria-label={t("where.row", { name, value: print(value), before: print(before), count: share.count })}
        className="where-figures"
      >
        <span aria-hidden className="where-meter">
          <i style={{ width: width(value ?? 0) }} />
          {before !== null && <u style={{ left: width(before) }} />}
        </span>
        <span className="where-now">{print(value)}</span>
        <span className="where-before">{print(before)}</span>
      </Link>
    </li>
  );
}

function useNameOf(dimension: Dimension): (value: string) => string {
  const channel = useChannelName();
  const { stage } = useStageNames();
  if (dimension === "channel") return channel;
  return dimension === "stage" ? stage : (value) => value;
}

function labelOf({ agent, name }: Share, print: (name: string) => string): string {
  return agent === null || agent === "" ? print(name) : `${agent} ${name}`;
}

function happenedBy(by: Measure, isTool: boolean): Happened["happened"] {
  switch (by) {
    case "failed":
      return isTool ? "failed_call" : "failed_turn";
    case "escalated":
      return "escalated";
    case "slow":
      return isTool ? "call" : "turn";
    default:
      return by satisfies never;
  }
}

function measured(share: Share["before"], by: Measure): number | null {
  if (share.count === 0) return null;
  switch (by) {
    case "failed":
      return share.failed / share.count;
    case "escalated":
      return share.escalated / share.count;
    case "slow":
      return share.p95;
    default:
      return by satisfies never;
  }
}

function isWorse({ count, failed, escalated, p95, before }: Share, by: Measure): boolean {
  switch (by) {
    case "failed":
      // What is new is compared with nothing; its row says what it is.
      return before.count === 0
        ? failed / count > 0.05 && failed >= 5
        : isHigher([failed, count], [before.failed, before.count]);
    case "escalated":
      return isHigher([escalated, count], [before.escalated, before.count]);
    case "slow":
      return p95 !== null && before.p95 !== null && count >= 100 && p95 > before.p95 * 1.25;
    default:
      return by satisfies never;
  }
}
