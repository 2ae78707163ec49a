"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { type Happened, listAddress } from "@/components/overview/place.ts";
import { useWords, type Words } from "@/components/overview/use-words.ts";
import { Link } from "@/components/ui/link.tsx";
import type { ComparedVersions } from "@/lib/api/shapes.ts";

type Compared = NonNullable<ComparedVersions["compared"]>;
type Measure = Compared["measures"][number];
type Side = "before" | "after";

interface MeasuresProps {
  answer: Omit<ComparedVersions, "compared"> & { compared: Compared };
  agent: string;
}

/** Each figure of both versions with its interval, and by how much it changed. */
export function Measures({ answer: { compared, versions, from, to }, agent }: MeasuresProps) {
  const t = useTranslations("overview.versions");
  const words = useWords();
  const open = (side: Side, happened: Happened["happened"], over?: number) =>
    listAddress(
      { agent, version: compared.versions[side], model: "", channel: "", stage: "" },
      { happened, since: from, until: to, ...(over !== undefined && { over }) },
    );
  const firstOf = (side: Side) => versions.find(({ version }) => version === compared.versions[side])?.first;
  return (
    <section className="tool-table versions-table" aria-label={t("title")} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("figure")}</th>
            {(["before", "after"] as const).map((side) => (
              <th key={side} scope="col">
                <b className="mono">{compared.versions[side]}</b>
                <small>
                  <Link href={open(side, "turn")}>{t("sides", { count: compared[side].conversations })}</Link>
                  {firstOf(side) !== undefined && ` · ${t("since", { time: words.month(firstOf(side) ?? "") })}`}
                </small>
              </th>
            ))}
            <th scope="col">{t("change")}</th>
            <th scope="col" className="versions-axis-head" />
            <th scope="col" />
          </tr>
        </thead>
        <tbody>
          {compared.measures.map((measure) => (
            <tr key={measure.name} data-quality={measure.change?.sure ? qualityOf(measure) : "same"}>
              <th scope="row">{t(`measure.${measure.name}`)}</th>
              {(["before", "after"] as const).map((side) => (
                <td key={side}>
                  <Figure measure={measure} side={side} words={words} open={open} />
                </td>
              ))}
              <td>{measure.change && <b>{changeOf(measure, measure.change.value, words)}</b>}</td>
              <td className="versions-axis">
                {measure.change && <Axis change={measure.change} print={(value) => changeOf(measure, value, words)} />}
              </td>
              <td className="versions-sure">{measure.change && t(measure.change.sure ? "beyond" : "chance")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface FigureProps {
  measure: Measure;
  side: Side;
  words: Words;
  open: (side: Side, happened: Happened["happened"], over?: number) => string;
}

/** A figure with its interval; it leads to the conversations that it counts. */
function Figure({ measure, side, words, open }: FigureProps): ReactNode {
  const t = useTranslations("overview.versions");
  const estimate = measure[side];
  if (!estimate) return words.none;
  const print = (value: number) => figureOf(measure, value, words);
  const href = addressOf(measure, side, open);
  return (
    <>
      {href === null ? (
        <b>{print(estimate.value)}</b>
      ) : (
        <Link
          href={href}
          title={
            measure.hits ? t("sides", { count: measure.hits[side] }) : t("slower", { duration: print(estimate.value) })
          }
        >
          <b>{print(estimate.value)}</b>
        </Link>
      )}
      <small>{t("interval", { from: print(estimate.from), to: print(estimate.to) })}</small>
    </>
  );
}

/** The list of exactly those that a figure counts; of latency, the slower turns. Null where it counts all. */
function addressOf({ name, hits, ...measure }: Measure, side: Side, open: FigureProps["open"]): string | null {
  switch (name) {
    case "failed":
      return hits && hits[side] > 0 ? open(side, "failed_turn") : null;
    case "failed_calls":
      return hits && hits[side] > 0 ? open(side, "failed_call") : null;
    case "escalated":
      return hits && hits[side] > 0 ? open(side, "escalated") : null;
    case "p50":
    case "p95": {
      const value = measure[side]?.value;
      return value === undefined ? null : open(side, "turn", Math.floor(value));
    }
    case "cost":
    case "tokens":
      return null;
    default:
      return name satisfies never;
  }
}

/** The change with its interval on an axis around zero. */
function Axis({ change, print }: { change: NonNullable<Measure["change"]>; print: (value: number) => string }) {
  const t = useTranslations("overview.versions");
  const reach = Math.max(Math.abs(change.from), Math.abs(change.to)) || 1;
  const x = (value: number) => `${50 + (value / reach) * 46}%`;
  const text = t("interval", { from: print(change.from), to: print(change.to) });
  return (
    <span className="versions-change" title={text}>
      <span className="sr-only">{text}</span>
      <i style={{ left: x(change.from), right: `calc(100% - ${x(change.to)})` }} />
      <u style={{ left: x(change.value) }} />
    </span>
  );
}

/** Of all figures less is better. */
export function qualityOf({ change }: Pick<Measure, "change">): "better" | "worse" | "same" {
  if (!change || change.value === 0) return "same";
  return change.value > 0 ? "worse" : "better";
}

function figureOf({ name, currency }: Measure, value: number, words: Words): string {
  switch (name) {
    case "failed":
    case "failed_calls":
    case "escalated":
      return words.percent(value);
    case "p50":
    case "p95":
      return words.duration(value);
    case "cost":
      return words.cost([{ currency: currency ?? "", amount: Math.max(0, value) }], 1);
    case "tokens":
      return words.number(Math.round(value));
    default:
      return name satisfies never;
  }
}

function changeOf(measure: Measure, value: number, words: Words): string {
  const sign = value > 0 ? "+" : value < 0 ? "−" : "";
  switch (measure.name) {
    case "failed":
    case "failed_calls":
    case "escalated":
      return words.points([value, 1], [0, 1]);
    case "p50":
    case "p95":
    case "cost":
    case "tokens":
      return `${sign}${figureOf(measure, Math.abs(value), words)}`;
    default:
      return measure.name satisfies never;
  }
}
