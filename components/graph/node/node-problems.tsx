"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { useProblemText } from "@/components/format/use-problem-text.ts";
import { problemsOf } from "@/components/selection/plan-problems.ts";
import type { StudioState } from "@/components/studio/studio-state.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { planKey } from "@/lib/session/keys.ts";
import type { ReportedProblem } from "@/lib/session/session.ts";
import type { GraphNode } from "../plan-level.ts";

/** The plan problems of a node's call, or of a collapsed chain's calls (C4). */
export function useNodeProblems({ runId, iteration, call, chain }: GraphNode): readonly ReportedProblem[] {
  const planOf = ({ session }: StudioState) => session.plans.get(planKey(runId, iteration));
  const own = useStudio((state) => problemsOf(planOf(state), call.id));
  // A validated plan is another object; most calls have no problems before and after.
  const plan = useStudio((state) => (chain ? planOf(state) : undefined));
  return useMemo(() => (chain ? chain.flatMap((member) => problemsOf(plan, member.call.id)) : own), [own, plan, chain]);
}

/** An icon for plan problems, with their texts as a tooltip; the Call tab lists them. */
export function NodeProblems({ problems }: { problems: readonly ReportedProblem[] }) {
  const t = useTranslations("graph.problems");
  const textOf = useProblemText();
  if (problems.length === 0) return null;
  return (
    <span className="pg-fault" title={problems.map(textOf).join("\n")}>
      <Icon name="warn" size={14} label={t("count", { count: problems.length })} />
    </span>
  );
}
