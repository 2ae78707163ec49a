"use client";

import { useTranslations } from "next-intl";
import { usePrices } from "@/components/studio/header/use-prices.ts";
import type { CaseResult } from "@/lib/api/shapes.ts";
import { costOf } from "@/lib/session/prices.ts";
import { useSuiteWords } from "../use-suite-words.ts";

type Result = CaseResult["items"][number]["result"];
type Taken = Result["taken"];

/** What the recorded session and the try took: money, tokens, time, calls. */
export function TakenTable({ result: { difference, answered } }: { result: Result }) {
  const t = useTranslations("suites.case");
  const words = useSuiteWords();
  const prices = usePrices();
  const { recorded, now } = difference.taken;
  const of = (read: (taken: Taken) => number | null) => [recorded && read(recorded), now && read(now)] as const;
  const money = (taken: Taken) => {
    const cost = costOf(taken.usage, prices);
    return cost?.length === 1 ? cost[0] : undefined;
  };
  const currency = now && money(now)?.currency;
  const calls = answered.reduce((sum, one) => sum + one.calls, 0);
  const own = answered.reduce((sum, one) => sum + one.recorded, 0);
  const [costBefore, costNow] = of((taken) => money(taken)?.amount ?? null);
  const [tokensBefore, tokensNow] = of(tokensOf);
  const [timeBefore, timeNow] = of(({ duration }) => duration);
  const [askedBefore, askedNow] = of(({ usage }) => usage.reduce((sum, { responses }) => sum + responses, 0));
  const cost = (amount: number | null) =>
    amount === null || !currency ? words.none : words.cost([{ currency, amount }], 1);
  return (
    <section className="diff-pane" tabIndex={0} aria-label={t("taken")}>
      <table className="diff-table">
        <thead>
          <tr>
            <th scope="col">
              <b className="text-12 font-semibold text-fg">{t("taken")}</b>
            </th>
            <th scope="col">{t("recorded")}</th>
            <th scope="col">{t("now")}</th>
            <th scope="col">{t("change")}</th>
          </tr>
        </thead>
        <tbody>
          {currency && (
            <tr>
              <th scope="row">{t("cost")}</th>
              <td className="text-fg-3">{cost(costBefore)}</td>
              <td>{cost(costNow)}</td>
              <td>{words.change(costNow, costBefore)}</td>
            </tr>
          )}
          <tr>
            <th scope="row">{t("tokens")}</th>
            <td className="text-fg-3">{words.amount(tokensBefore)}</td>
            <td>{words.amount(tokensNow)}</td>
            <td>{words.change(tokensNow, tokensBefore)}</td>
          </tr>
          <tr>
            <th scope="row">{t("time")}</th>
            <td className="text-fg-3">{words.duration(timeBefore)}</td>
            <td>{words.duration(timeNow)}</td>
            <td>{words.change(timeNow, timeBefore)}</td>
          </tr>
          <tr>
            <th scope="row">{t("requests")}</th>
            <td className="text-fg-3">{words.amount(askedBefore)}</td>
            <td>{words.amount(askedNow)}</td>
            <td>{words.change(askedNow, askedBefore)}</td>
          </tr>
          <tr>
            <th scope="row">{t("answers")}</th>
            <td />
            <td className={own < calls ? "text-st-waiting" : ""}>{calls === 0 ? words.none : `${own}/${calls}`}</td>
            <td />
          </tr>
        </tbody>
      </table>
    </section>
  );
}

function tokensOf({ usage }: Taken): number | null {
  if (usage.length === 0 || usage.some(({ unreported }) => unreported > 0)) return null;
  return usage.reduce((sum, one) => sum + one.input_tokens + one.output_tokens, 0);
}
