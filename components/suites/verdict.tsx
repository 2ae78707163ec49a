"use client";

import { useTranslations } from "next-intl";
import { Icon } from "@/components/ui/icon.tsx";
import type { SuiteRunReport } from "@/lib/api/shapes.ts";
import { Interval } from "./interval.tsx";
import { isOpen } from "./queries.ts";
import { RunStatus } from "./run-status.tsx";
import { useSuiteWords } from "./use-suite-words.ts";

/** What is so, in a sentence: the difference with its interval, both shares on one axis, and what the run took. */
export function SuiteVerdict({ told: { run, report, against } }: { told: SuiteRunReport }) {
  const t = useTranslations("suites");
  const words = useSuiteWords();
  const { counts, passed, answered } = report;
  const total = counts.passed + counts.failed + counts.flaky;
  const comparison = against?.comparison ?? null;
  const [calls, recorded] = [sum(answered, "calls"), sum(answered, "recorded")];
  // The axis begins where the lowest interval does, in steps of 20.
  const from = Math.floor(Math.min(passed.from, comparison?.before.from ?? 1) * 5) / 5;
  const elapsed = run.finished_at === null ? null : Date.parse(run.finished_at) - Date.parse(run.started_at);
  const isMoney = report.cost !== null && report.cost.length > 0;
  const before = against && (isMoney ? words.cost(against.report.cost ?? [], 1) : words.amount(against.report.tokens));
  return (
    <section className="suite-verdict" aria-label={t("list.passed")}>
      <div className="suite-verdict-main">
        <h2 data-bad={(comparison !== null && comparison.change.to < 0) || undefined}>
          {isOpen(run) && <RunStatus run={run} />}
          {isOpen(run) ? (
            <span className="tabular-nums">{t("run.progress", { done: run.done, total: run.total })}</span>
          ) : comparison ? (
            <Sentence change={comparison.change} />
          ) : (
            t("verdict.alone", { passed: counts.passed, total })
          )}
        </h2>
        {isOpen(run) && (
          <progress className="suite-progress" value={run.done} max={run.total} aria-label={t("run.status.running")} />
        )}
        {run.error && <p className="text-st-failed">{run.error}</p>}
        {(run.status === "interrupted" || run.status === "cancelled") && (
          <p className="flex items-center gap-1.5 text-st-waiting">
            <Icon name="warn" size={14} />
            {t(`run.${run.status}`)}
          </p>
        )}
        {comparison && !isOpen(run) && (
          <p className="text-fg-2">
            {t("verdict.interval", {
              from: words.pointsOf(comparison.change.from),
              to: words.pointsOf(comparison.change.to),
            })}
            <span className="text-fg-3"> · {t("verdict.common", { count: comparison.cases })}</span>
          </p>
        )}
        {total > 0 && (
          <dl className="suite-shares">
            <dt>{t("verdict.this", { agent: run.agent_id })}</dt>
            <dd>
              <Interval
                share={comparison?.after ?? passed}
                from={from}
                look={comparison && comparison.change.to < 0 ? "failed" : "passed"}
              />
            </dd>
            <dd className="suite-share">{words.percent((comparison?.after ?? passed).share)}</dd>
            <dd className="text-fg-3">{words.range(comparison?.after ?? passed)}</dd>
            {comparison && against && (
              <>
                <dt className="text-fg-3">{t("verdict.before", { agent: against.run.agent_id })}</dt>
                <dd>
                  <Interval share={comparison.before} from={from} look="before" />
                </dd>
                <dd className="suite-share">{words.percent(comparison.before.share)}</dd>
                <dd className="text-fg-3">{words.range(comparison.before)}</dd>
              </>
            )}
          </dl>
        )}
      </div>
      <Figure name={t(isMoney ? "verdict.cost" : "verdict.tokens")} value={words.price(report)}>
        {before && before !== words.none ? t("verdict.was", { value: before }) : !isMoney && t("verdict.unpriced")}
      </Figure>
      <Figure name={t("verdict.time")} value={words.duration(elapsed)}>
        {against?.run.finished_at &&
          t("verdict.was", {
            value: words.duration(Date.parse(against.run.finished_at) - Date.parse(against.run.started_at)),
          })}
      </Figure>
      <Figure name={t("verdict.answers")} value={calls === 0 ? words.none : words.percent(recorded / calls, 0)}>
        {calls > 0 && t("verdict.of", { recorded, calls })}
      </Figure>
    </section>
  );
}

/** Whether it is worse, better, or not known: by whether the interval has 0 in it. */
function Sentence({ change }: { change: NonNullable<NonNullable<SuiteRunReport["against"]>["comparison"]>["change"] }) {
  const t = useTranslations("suites.verdict");
  const words = useSuiteWords();
  const points = words.points(change.share);
  if (change.to < 0) return t("worse", { points });
  if (change.from > 0) return t("better", { points });
  return t(change.share === 0 ? "same" : "unclear", { points });
}

function Figure({ name, value, children }: { name: string; value: string; children?: React.ReactNode }) {
  return (
    <div className="suite-figure">
      <h3>{name}</h3>
      <p>{value}</p>
      {children && <small>{children}</small>}
    </div>
  );
}

function sum(answered: SuiteRunReport["report"]["answered"], field: "calls" | "recorded"): number {
  return answered.reduce((total, one) => total + one[field], 0);
}
