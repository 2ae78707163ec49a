"use client";

import { useTranslations } from "next-intl";
import { useProblemName } from "@/components/format/use-problem-name.ts";
import { useProblemText } from "@/components/format/use-problem-text.ts";
import { problemsOf } from "@/components/selection/plan-problems.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { planKey } from "@/lib/session/keys.ts";
import type { Call, ReportedProblem, Session } from "@/lib/session/session.ts";
import { Part } from "../part.tsx";

interface CallProblemsProps {
  session: Session;
  call: Call;
  /** Errors are shown first; warnings after the result. */
  severity: ReportedProblem["severity"];
}

/** The plan problems of a call (P16). */
export function CallProblems({ session, call, severity }: CallProblemsProps) {
  const t = useTranslations("inspector.call");
  const nameOf = useProblemName();
  const textOf = useProblemText();
  const plan = session.plans.get(planKey(call.run_id, call.iteration));
  const problems = problemsOf(plan, call.id).filter((problem) => problem.severity === severity);
  if (problems.length === 0) return null;
  return (
    <Part title={t("problems")}>
      <ul className="flex flex-col gap-1.5">
        {problems.map((problem) => (
          <li key={`${problem.code} ${problem.path} ${problem.message}`} className="flex gap-1.5">
            <Icon
              name={severity === "error" ? "failed" : "warn"}
              size={14}
              label={t(`severity.${severity}`)}
              className={`mt-px ${severity === "error" ? "text-st-failed" : "text-st-waiting"}`}
            />
            <p className="min-w-0 text-pretty wrap-anywhere">
              <span className="font-medium">{nameOf(problem.code)}</span>
              {problem.path && <code className="ml-1.5 font-mono text-11 text-fg-3">{problem.path}</code>}
              <span className="block text-fg-2">{textOf(problem)}</span>
            </p>
          </li>
        ))}
      </ul>
    </Part>
  );
}
