"use client";

import { useFormatter, useTranslations } from "next-intl";
import { costOf } from "@/lib/session/prices.ts";
import type { Run, Usage } from "@/lib/session/session.ts";
import { totalUsage, usageOfRun } from "@/lib/session/usage.ts";
import { useCostWords } from "../../format/use-cost-words.ts";
import { useStudio } from "../use-studio.ts";
import { usePrices } from "./use-prices.ts";

/** What models took for a run and for the conversation by the step, in tokens, and what that costs where it is known. */
export function UsageLines({ run }: { run: Run }) {
  const t = useTranslations("compare.usage");
  const session = useStudio((state) => state.session);
  if (session.usage.length === 0) return null;
  return (
    <div className="border-line border-t px-2 pt-1.5 pb-1 text-11 text-fg-3">
      <Line name={t("run")} usage={usageOfRun(session, run)} />
      <Line name={t("conversation")} usage={session.usage} />
    </div>
  );
}

function Line({ name, usage }: { name: string; usage: readonly Usage[] }) {
  const t = useTranslations("compare.usage");
  const format = useFormatter();
  const costs = costOf(usage, usePrices());
  const words = useCostWords();
  const { input_tokens, output_tokens } = totalUsage(usage);
  return (
    <p className="flex justify-between gap-4 whitespace-nowrap tabular-nums">
      {name}
      <span>
        {t("tokens", { input: format.number(input_tokens), output: format.number(output_tokens) })}
        {costs && costs.length > 0 && <b className="pl-2 font-medium text-fg-2">{words(costs)}</b>}
      </span>
    </p>
  );
}
