"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useWords } from "@/components/overview/use-words.ts";
import type { CaseResult, SuiteRunReport } from "@/lib/api/shapes.ts";

type Checked = CaseResult["items"][number]["result"]["checks"][number];
export type Share = SuiteRunReport["report"]["passed"];
type Taken = SuiteRunReport["report"]["cases"][number]["taken"];

/** The words of runs: points, shares, what must hold. */
export function useSuiteWords() {
  const t = useTranslations("suites");
  const format = useFormatter();
  const words = useWords();
  const points = (value: number) =>
    format.number(value * 100, { signDisplay: "exceptZero", minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const nameOf = (checked: Checked, kind: "why" | "holds") => {
    const { expectation: one, found } = checked;
    const params = "params" in one && one.params ? ` ${t("why.with", { params: JSON.stringify(one.params) })}` : "";
    switch (one.kind) {
      case "state":
        return t(`${kind}.state`, { path: one.path, value: shown(found), wanted: shown(one.equals) });
      case "called":
      case "not_called":
        return `${t(`${kind}.${one.kind}`, { tool: one.tool })}${params}`;
      case "called_before":
        return t(`${kind}.called_before`, { tool: one.tool, next: one.next });
      case "says":
      case "never_says":
        return t(`${kind}.${one.kind}`, { text: one.text });
      case "same_calls":
        return t(`${kind}.same_calls`);
      case "tokens_at_most":
        return t(`${kind}.tokens_at_most`, { tokens: one.tokens });
      case "score": {
        const values = { name: one.name, least: format.number(one.at_least) };
        if (found === null) return t("why.unscored", values);
        return t(`${kind}.score`, {
          ...values,
          value: typeof found === "number" ? format.number(found) : shown(found),
        });
      }
      default:
        return one satisfies never;
    }
  };
  return {
    ...words,
    pointsOf: points,
    /** `−10.4 points` */
    points: (value: number) => t("verdict.points", { points: points(value) }),
    range: ({ from, to }: Share) => `${format.number(from * 100, ONE)}–${format.number(to * 100, ONE)}`,
    /** Why a check did not hold. */
    why: (checked: Checked) => nameOf(checked, "why"),
    /** What has to hold. */
    holds: (checked: Checked) => nameOf(checked, "holds"),
    /** Money if it is known, else tokens. */
    price: ({ cost, tokens }: Pick<Taken, "cost" | "tokens">) =>
      cost && cost.length > 0 ? words.cost(cost, 1) : words.amount(tokens === null ? null : Math.round(tokens)),
  };
}

const ONE = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;

function shown(value: unknown): string {
  return typeof value === "string" && value.endsWith("…") ? value : JSON.stringify(value);
}
