"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useCostWords } from "@/components/format/use-cost-words.ts";
import { useDuration } from "@/components/format/use-duration.ts";
import { useNow } from "@/components/list/now.tsx";
import { usePrices } from "@/components/studio/header/use-prices.ts";
import type { Compared } from "@/lib/session/compare/sides.ts";
import { type TurnTotals, totalsByTurn } from "@/lib/session/compare/totals.ts";
import { costOf } from "@/lib/session/prices.ts";
import { reporting, totalUsage } from "@/lib/session/runs/usage.ts";
import { SideBadge } from "./side-badge.tsx";

/** More rows would make the page long, and nobody reads them one by one. */
const SHOWN = 100;

/** Duration, tokens and cost of each run, and their differences. */
export function RunsTable({ a, b }: { a: Compared; b: Compared }) {
  const t = useTranslations("compare.overview");
  const now = useNow();
  const format = useFormatter();
  const duration = useDuration();
  const words = useCostWords();
  const prices = usePrices();
  const turns = totalsByTurn(a, b, now);
  // With a single run, the metrics above are enough.
  if (turns.length < 2) return null;
  const costs = turns.map((turn) => [amountOf(turn.a), amountOf(turn.b)] as const);
  const currency = costs.flat().find((cost) => cost !== null)?.currency;
  const isPriced = currency !== undefined && costs.flat().every((cost) => cost === null || cost.currency === currency);
  function amountOf(turn: TurnTotals | null) {
    const [cost, ...others] = turn ? (costOf(turn.usage, prices) ?? []) : [];
    return cost && others.length === 0 ? cost : null;
  }
  return (
    <div className="overflow-x-auto">
      <table className="w-full min-w-140 border-collapse tabular-nums">
        <caption className="pb-1.5 text-left font-semibold">{t("byRun")}</caption>
        <thead className="text-11 text-fg-3">
          <tr>
            <td />
            <GroupHead>{t("duration")}</GroupHead>
            <GroupHead>{t("tokens")}</GroupHead>
            {isPriced && <GroupHead>{t("cost", { currency })}</GroupHead>}
          </tr>
          <tr className="border-line-strong border-b">
            <th scope="col" className="py-1 text-left font-normal">
              {t("run")}
            </th>
            <SideHeads />
            <SideHeads />
            {isPriced && <SideHeads />}
          </tr>
        </thead>
        <tbody>
          {turns.slice(0, SHOWN).map((turn, index) => (
            <tr key={turn.number} className="border-line border-b">
              <th scope="row" className="py-1.25 text-left font-normal text-fg-2">
                <TurnNumber turn={turn} />
              </th>
              <Numbers a={turn.a?.duration ?? null} b={turn.b?.duration ?? null} write={duration} />
              <Numbers a={tokensOf(turn.a)} b={tokensOf(turn.b)} write={format.number} />
              {isPriced && (
                <Numbers
                  a={costs[index]?.[0]?.amount ?? null}
                  b={costs[index]?.[1]?.amount ?? null}
                  write={(amount) => words([{ currency, amount }])}
                />
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {turns.length > SHOWN && <p className="pt-1.5 text-fg-3">{t("moreRuns", { count: turns.length - SHOWN })}</p>}
    </div>
  );
}

/** The runs of a turn; in a fork, a continued run is beside its source. */
function TurnNumber({ turn }: { turn: ReturnType<typeof totalsByTurn>[number] }) {
  const t = useTranslations("compare.side");
  const sides = (["a", "b"] as const).flatMap((side) => {
    const runs = turn[side]?.runs.join(" + ") ?? String(turn.number);
    return runs === String(turn.number) ? [] : [{ side, runs }];
  });
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5">
      {turn.number}
      {sides.map(({ side, runs }) => (
        <span key={side} className="inline-flex items-center gap-1">
          <SideBadge side={side} />
          <span className="sr-only">{t(side)}</span>
          {runs}
        </span>
      ))}
    </span>
  );
}

function tokensOf(turn: TurnTotals | null): number | null {
  if (!turn) return null;
  const total = totalUsage(turn.usage);
  return reporting(total) === "none" ? null : total.input_tokens + total.output_tokens;
}

function GroupHead({ children }: { children: string }) {
  return (
    <th scope="colgroup" colSpan={3} className="pt-1 pl-4 text-right font-normal">
      {children}
    </th>
  );
}

function SideHeads() {
  const t = useTranslations("compare");
  return (
    <>
      {(["a", "b"] as const).map((side) => (
        <th key={side} scope="col" className="py-1 pl-4 text-right font-normal">
          <SideBadge side={side} />
          <span className="sr-only">{t(`side.${side}`)}</span>
        </th>
      ))}
      <th scope="col" className="py-1 pl-4 text-right font-normal">
        {t("overview.difference")}
      </th>
    </>
  );
}

interface NumbersProps {
  a: number | null;
  b: number | null;
  write: (value: number) => string;
}

function Numbers({ a, b, write }: NumbersProps) {
  return (
    <>
      {(
        [
          ["a", a],
          ["b", b],
        ] as const
      ).map(([side, value]) => (
        <td key={side} className="py-1.25 pl-4 text-right whitespace-nowrap">
          {value === null ? <span className="text-fg-3">–</span> : write(value)}
        </td>
      ))}
      <Difference a={a} b={b} write={write} />
    </>
  );
}

/** The difference from the first side to the second. */
export function Difference({ a, b, write }: NumbersProps) {
  const t = useTranslations("compare.overview");
  const delta = a === null || b === null ? null : b - a;
  return (
    <td className={`py-1.25 pl-4 text-right whitespace-nowrap ${delta ? "font-medium" : "text-fg-3"}`}>
      {delta === null ? "–" : delta === 0 ? t("equal") : `${delta > 0 ? "+" : "−"}${write(Math.abs(delta))}`}
    </td>
  );
}
