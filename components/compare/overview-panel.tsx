"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useContext } from "react";
import { useCostWords } from "@/components/format/use-cost-words.ts";
import { useDuration } from "@/components/format/use-duration.ts";
import { useShortcuts } from "@/components/keys/use-shortcuts.ts";
import { useNow } from "@/components/list/now.tsx";
import { usePrices } from "@/components/studio/header/use-prices.ts";
import { Button } from "@/components/ui/button.tsx";
import { sharedSteps } from "@/lib/session/compare/sides.ts";
import { type Totals, totalsOf, usageByModel } from "@/lib/session/compare/totals.ts";
import { type Cost, costOf } from "@/lib/session/prices.ts";
import { knownTokens } from "@/lib/session/runs/usage.ts";
import type { Usage, View } from "@/lib/session/session.ts";
import { fromView } from "@/lib/session/view.ts";
import type { Comparison } from "./compare-sessions.ts";
import { ArrivalContext } from "./panel.tsx";
import { Difference, RunsTable } from "./runs-table.tsx";
import { SideBadge } from "./side-badge.tsx";
import { usePlace } from "./use-place.ts";

const COUNTED = ["steps", "turns", "messages", "calls", "failures"] as const satisfies (keyof Totals)[];
const TIMED = ["duration", "waiting"] as const satisfies (keyof Totals)[];

/** Metrics of both sides, and where they differ. */
export function OverviewPanel({ comparison, a, b }: { comparison: Comparison; a: View; b: View }) {
  const t = useTranslations("compare.overview");
  const now = useNow();
  const format = useFormatter();
  const duration = useDuration();
  const [one, two] = [fromView(a), fromView(b)];
  const [ofA, ofB] = [totalsOf(one, now), totalsOf(two, now)];
  const shared = sharedSteps(one, two);
  const usage = usageByModel(one, two);
  return (
    <div
      tabIndex={0}
      className="relative h-full overflow-y-auto outline-none focus-visible:shadow-[inset_0_0_0_2px_var(--accent)]"
    >
      <div className="page-measure grid gap-6 py-4 text-13">
        <Where comparison={comparison} shared={shared} isItself={a.conversation_id === b.conversation_id} />
        <table className="w-full border-collapse tabular-nums">
          <caption className="pb-1.5 text-left font-semibold">{t("numbers")}</caption>
          <Head />
          <tbody>
            {COUNTED.map((name) => (
              <Row key={name} name={t(name)} a={ofA[name]} b={ofB[name]} write={format.number} />
            ))}
            {TIMED.map((name) => (
              <Row key={name} name={t(name)} a={ofA[name]} b={ofB[name]} write={duration} />
            ))}
          </tbody>
        </table>
        {usage.length > 0 && (
          <table className="w-full border-collapse tabular-nums">
            <caption className="pb-1.5 text-left font-semibold">{t("tokens")}</caption>
            <Head />
            <tbody>
              {usage.flatMap(({ model, a: inA, b: inB }) =>
                (["input_tokens", "output_tokens"] as const).map((part) => (
                  <Row
                    key={`${model} ${part}`}
                    name={t(part, { model: model || t("otherModels") })}
                    a={tokensOf(inA, part)}
                    b={tokensOf(inB, part)}
                    write={format.number}
                  />
                )),
              )}
              {usage.length > 1 &&
                (["input_tokens", "output_tokens"] as const).map((part) => (
                  <Row
                    key={part}
                    name={t(part, { model: t("all") })}
                    a={ofA[part]}
                    b={ofB[part]}
                    write={format.number}
                  />
                ))}
              <CostRows a={a} b={b} />
            </tbody>
          </table>
        )}
        <RunsTable a={one} b={two} />
      </div>
    </div>
  );
}

/** The cost of both sides by currency, if the prices of all their models are known. */
function CostRows({ a, b }: { a: View; b: View }) {
  const t = useTranslations("compare.overview");
  const words = useCostWords();
  const prices = usePrices();
  const [ofA, ofB] = [costOf(a.usage, prices), costOf(b.usage, prices)];
  if (!ofA || !ofB) return null;
  const currencies = [...new Set([...ofA, ...ofB].map(({ currency }) => currency))];
  const amountIn = (costs: readonly Cost[], currency: string) =>
    costs.find((cost) => cost.currency === currency)?.amount ?? 0;
  return currencies.map((currency) => (
    <Row
      key={currency}
      name={t("cost", { currency })}
      a={amountIn(ofA, currency)}
      b={amountIn(ofB, currency)}
      write={(amount) => words([{ currency, amount }])}
    />
  ));
}

/** None for a model that a side has not used. */
function tokensOf(usage: Usage | null, part: "input_tokens" | "output_tokens"): number | null {
  return usage ? knownTokens(usage, part) : 0;
}

interface WhereProps {
  comparison: Comparison;
  shared: number;
  isItself: boolean;
}

/** The number of differences per part, with links. */
function Where({ comparison: { counts }, shared, isItself }: WhereProps) {
  const t = useTranslations("compare");
  const [, change] = usePlace();
  const arrival = useContext(ArrivalContext);
  const parts = (["messages", "plan", "calls", "state"] as const).filter((part) => counts[part] > 0);
  const go = (by: 1 | -1) => {
    const tab = parts.at(by === 1 ? 0 : -1);
    if (tab === undefined) return;
    arrival.by = by;
    change({ tab });
  };
  useShortcuts({ nextFinding: () => go(1), previousFinding: () => go(-1) });
  return (
    <section>
      <h2 className="pb-1.5 font-semibold">{t("overview.where")}</h2>
      {shared > 0 && <p className="pb-2 text-fg-2">{t("overview.shared", { count: shared })}</p>}
      {parts.length === 0 && <p className="text-fg-2">{t(isItself ? "overview.itself" : "overview.nowhere")}</p>}
      <p className="flex flex-wrap gap-2">
        {parts.map((part) => (
          <Button key={part} onClick={() => change({ tab: part })}>
            {t(`tab.${part}`)}
            <span className="text-fg-3 tabular-nums">{t("differences", { count: counts[part] })}</span>
          </Button>
        ))}
      </p>
    </section>
  );
}

function Head() {
  const t = useTranslations("compare");
  return (
    <thead>
      <tr className="border-line-strong border-b text-11 text-fg-3">
        <th scope="col" className="py-1 text-left font-normal">
          <span className="sr-only">{t("overview.what")}</span>
        </th>
        {(["a", "b"] as const).map((side) => (
          <th key={side} scope="col" className="w-[22%] py-1 text-right font-normal">
            <SideBadge side={side} />
            <span className="sr-only">{t(`side.${side}`)}</span>
          </th>
        ))}
        <th scope="col" className="w-[22%] py-1 text-right font-normal">
          {t("overview.difference")}
        </th>
      </tr>
    </thead>
  );
}

interface RowProps {
  name: string;
  a: number | null;
  b: number | null;
  write: (value: number) => string;
}

function Row({ name, a, b, write }: RowProps) {
  return (
    <tr className="border-line border-b">
      {/* Tabular digits would also widen the hyphens in model names. */}
      <th scope="row" className="py-1.25 text-left font-normal text-fg-2 normal-nums">
        {name}
      </th>
      {[a, b].map((value, side) => (
        <td key={side === 0 ? "a" : "b"} className="py-1.25 text-right">
          {value === null ? <span className="text-fg-3">–</span> : write(value)}
        </td>
      ))}
      <Difference a={a} b={b} write={write} />
    </tr>
  );
}
