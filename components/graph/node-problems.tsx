"use client";

import { useTranslations } from "next-intl";
import { problemsOf } from "@/components/studio/plan-problems.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { planKey } from "@/lib/session/keys.ts";
import type { ReportedProblem } from "@/lib/session/session.ts";
import type { GraphNode } from "./plan-level.ts";

/** What validation found at a node's call (C4). */
export function useNodeProblems({ runId, iteration, call }: GraphNode): readonly ReportedProblem[] {
  return useStudio(({ session }) => problemsOf(session.plans.get(planKey(runId, iteration)), call.id));
}

/** A sign that a call has problems; their sentences on hover, and in the call's tab. */
export function NodeProblems({ problems }: { problems: readonly ReportedProblem[] }) {
  const t = useTranslations("graph.problems");
  if (problems.length === 0) return null;
  return (
    <span className="pg-fault" title={problems.map(({ message }) => message).join("\n")}>
      <Icon name="warn" size={14} label={t("count", { count: problems.length })} />
    </span>
  );
}
