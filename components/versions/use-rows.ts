"use client";

import { useTranslations } from "next-intl";
import { type Happened, listAddress } from "@/components/overview/place.ts";
import { useWords } from "@/components/overview/use-words.ts";
import type { ComparedVersions } from "@/lib/api/shapes.ts";

export type Compared = NonNullable<ComparedVersions["compared"]>;
type Measure = Compared["measures"][number];
type ScoreMeasure = Compared["scores"][number];
export type Side = "before" | "after";

/** A figure of both versions. */
export interface Row extends Pick<Measure, "before" | "after" | "change"> {
  key: string;
  label: string;
  /** What changed, for the sentence. */
  short: string;
  /** What is better; null where nobody knows. */
  wanted: "less" | "more" | null;
  print: (value: number) => string;
  printChange: (value: number) => string;
  /** The list of exactly those that the figure counts, or of slower turns, with what that is; null where it counts all. */
  link: (side: Side) => { href: string; title: string } | null;
}

/** The figures of two versions, those of scores last. */
export function useRows(answer: ComparedVersions, compared: Compared, agent: string): Row[] {
  const t = useTranslations("overview.versions");
  const words = useWords();
  const { from, to } = answer;
  const list = (side: Side, what: Omit<Happened, "since" | "until">) =>
    listAddress(
      { agent, version: compared.versions[side], model: "", channel: "", stage: "" },
      { ...what, since: from, until: to },
    );
  const points = (value: number) => words.points([value, 1], [0, 1]);
  const signed = (value: number, print: (value: number) => string) =>
    `${value > 0 ? "+" : value < 0 ? "−" : ""}${print(Math.abs(value))}`;
  const conversations = (count: number, href: string) => (count === 0 ? null : { href, title: t("sides", { count }) });

  function printOf({ name, currency }: Measure): Pick<Row, "print" | "printChange"> {
    switch (name) {
      case "failed":
      case "failed_calls":
      case "escalated":
        return { print: (value) => words.percent(value), printChange: points };
      case "p50":
      case "p95": {
        const print = (value: number) => words.duration(value);
        return { print, printChange: (value) => signed(value, print) };
      }
      case "cost": {
        const print = (value: number) => words.cost([{ currency: currency ?? "", amount: Math.max(0, value) }], 1);
        return { print, printChange: (value) => signed(value, print) };
      }
      case "tokens": {
        const print = (value: number) => words.number(Math.round(value));
        return { print, printChange: (value) => signed(value, print) };
      }
      default:
        return name satisfies never;
    }
  }

  function linkOf(measure: Measure, side: Side): ReturnType<Row["link"]> {
    const { name, hits } = measure;
    const count = hits?.[side] ?? 0;
    switch (name) {
      case "failed":
        return conversations(count, list(side, { happened: "failed_turn" }));
      case "failed_calls":
        return conversations(count, list(side, { happened: "failed_call" }));
      case "escalated":
        return conversations(count, list(side, { happened: "escalated" }));
      case "p50":
      case "p95": {
        const value = measure[side]?.value;
        if (value === undefined) return null;
        const href = list(side, { happened: "turn", over: Math.floor(value) });
        return { href, title: t("slower", { duration: words.duration(value) }) };
      }
      case "cost":
      case "tokens":
        return null;
      default:
        return name satisfies never;
    }
  }

  function scoreRow({ name, kind, category, hits, ...estimates }: ScoreMeasure): Row {
    const label = category === null ? name : `${name}: ${category}`;
    const number = (value: number) => words.number(Math.round(value * 100) / 100);
    return {
      ...{ key: `score ${label}`, label, short: label, ...estimates, wanted: kind === "boolean" ? "more" : null },
      print: kind === "number" ? number : (value) => words.percent(value),
      printChange: kind === "number" ? (value) => signed(value, number) : points,
      link(side) {
        const scored = (score: string) => list(side, { happened: "scored", score });
        switch (kind) {
          case "number":
            return { href: scored(name), title: t("scored") };
          case "boolean":
            return { href: scored(`${name}=false`), title: t("not_passed") };
          case "category":
            return conversations(hits?.[side] ?? 0, scored(`${name}=${category}`));
          default:
            return kind satisfies never;
        }
      },
    };
  }

  return [
    ...compared.measures.map(
      (measure): Row => ({
        ...{
          key: measure.name,
          label: t(`measure.${measure.name}`),
          short: t(`short.${measure.name}`),
          wanted: "less",
        },
        ...{ before: measure.before, after: measure.after, change: measure.change },
        ...printOf(measure),
        link: (side) => linkOf(measure, side),
      }),
    ),
    ...compared.scores.map(scoreRow),
  ];
}

/** What a change beyond chance means. */
export function qualityOf({ change, wanted }: Pick<Row, "change" | "wanted">): "better" | "worse" | "other" | "same" {
  if (!change?.sure) return "same";
  if (wanted === null) return "other";
  return change.value > 0 === (wanted === "more") ? "better" : "worse";
}
