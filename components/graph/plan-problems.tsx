"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useProblemName } from "@/components/format/use-problem-name.ts";
import { useProblemText } from "@/components/format/use-problem-text.ts";
import { useResolvedSelection } from "@/components/selection/use-resolved-selection.ts";
import { useSelection } from "@/components/selection/use-selection.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import type { Plan, ReportedProblem } from "@/lib/session/session.ts";

/** The problems of the current plan as a list over the graph, open by default for a rejected plan (C4). */
export function PlanProblems() {
  const { plan } = useResolvedSelection();
  if (!plan || (plan.problem_count === 0 && !plan.rejected)) return null;
  return <Panel key={`${plan.run_id} ${plan.iteration} ${plan.rejected}`} plan={plan} />;
}

function Panel({ plan }: { plan: Plan }) {
  const t = useTranslations("graph.problems");
  const [open, setOpen] = useState(plan.rejected);
  const ink = plan.rejected ? "text-st-failed" : "text-st-waiting";
  return (
    <section aria-label={t("title")} className="pg-problems pg-float">
      <Button
        variant="ghost"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="w-full justify-start! px-2!"
      >
        <Icon name={plan.rejected ? "failed" : "warn"} size={14} className={ink} />
        <span className={plan.rejected ? ink : ""}>
          {plan.rejected ? t("rejected") : t("warnings", { count: plan.problem_count })}
        </span>
        {plan.rejected && <span className="text-fg-3">{t("count", { count: plan.problem_count })}</span>}
        <Icon name={open ? "up" : "down"} size={12} className="ml-auto text-fg-3" />
      </Button>
      {open && (
        <ul>
          {plan.problems.map((problem, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list of a plan never changes
            <li key={index}>
              <ProblemRow problem={problem} />
            </li>
          ))}
          {plan.problem_count > plan.problems.length && (
            <li className="px-2 py-1 text-fg-3">{t("more", { count: plan.problem_count - plan.problems.length })}</li>
          )}
        </ul>
      )}
    </section>
  );
}

/** A problem; selecting it selects its call. */
function ProblemRow({ problem }: { problem: ReportedProblem }) {
  const { severity, call, path, code } = problem;
  const t = useTranslations("graph.problems");
  const nameOf = useProblemName();
  const textOf = useProblemText();
  const [, select] = useSelection();
  const text = (
    <>
      <Icon
        name={severity === "error" ? "failed" : "warn"}
        size={14}
        label={t(severity)}
        className={`mt-px ${severity === "error" ? "text-st-failed" : "text-st-waiting"}`}
      />
      <span className="min-w-0 flex-1">
        <span className="block font-medium wrap-anywhere">
          {call ?? t("plan")} · {nameOf(code)}
          {path !== "" && <code className="ml-1.5 font-mono text-10 font-normal text-fg-3">{path}</code>}
        </span>
        <span className="block text-pretty text-fg-2 wrap-anywhere">{textOf(problem)}</span>
      </span>
    </>
  );
  if (call === null) return <div className="pg-problem">{text}</div>;
  return (
    <button type="button" className="pg-problem hover:bg-hover" onClick={() => select({ call, tab: "call" })}>
      {text}
    </button>
  );
}
