"use client";

import "./prompt.css";
import { useFormatter, useTranslations } from "next-intl";

/** Estimated tokens of a request by use (H4). */
export interface Budget {
  system: number;
  state: number;
  history: number;
  tools: number;
  /** What is left of the history's limit; undefined without one. */
  left?: number | undefined;
}

interface BudgetBarProps {
  budget: Budget;
  /** The label; a request by default. */
  title?: string;
}

const SPENT = ["system", "state", "tools", "history"] as const;

/**
 * The token budget of a request as a bar and in numbers (H4); an empty part at the end is what the history may still
 * use.
 */
export function BudgetBar({ budget, title }: BudgetBarProps) {
  const t = useTranslations("prompt.budget");
  const heading = title ?? t("title");
  const format = useFormatter();
  const spent = SPENT.reduce((sum, name) => sum + budget[name], 0);
  const all = spent + (budget.left ?? 0);
  const share = (tokens: number) => ({ flexGrow: all === 0 ? 0 : tokens / all });
  return (
    <section aria-label={heading} className="px-3 py-2">
      <div aria-hidden className="mb-1.5 flex h-2 gap-px overflow-hidden rounded-1 bg-surface">
        {SPENT.map(
          (name) =>
            budget[name] > 0 && (
              <span key={name} className={`prompt-spent min-w-0.5 spent-${name}`} style={share(budget[name])} />
            ),
        )}
        {(budget.left ?? 0) > 0 && (
          <span className="prompt-spent min-w-0.5 spent-left" style={share(budget.left ?? 0)} />
        )}
        {all === 0 && <span className="prompt-spent spent-left grow" />}
      </div>
      <dl className="flex flex-wrap gap-x-2.5 gap-y-0.5 text-11">
        <div className="flex gap-1">
          <dt className="sr-only">{heading}</dt>
          <dd className="font-semibold tabular-nums">{t("total", { count: spent })}</dd>
        </div>
        {SPENT.map((name) => (
          <div key={name} className="flex items-center gap-1">
            <dt className="flex items-center gap-1 text-fg-2">
              <span aria-hidden className={`prompt-spent spent-${name} size-2 flex-none rounded-[2px]`} />
              {t(name)}
            </dt>
            <dd className={`tabular-nums ${budget[name] === 0 ? "text-fg-3" : ""}`}>
              {format.number(budget[name])}
              {name === "history" && budget.left !== undefined && (
                <span className="text-fg-3">{t("left", { count: budget.left })}</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
