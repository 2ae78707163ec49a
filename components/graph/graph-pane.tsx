"use client";

import "./graph.css";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useShortcuts } from "@/components/keys/use-shortcuts.ts";
import { useResolvedSelection } from "@/components/selection/use-resolved-selection.ts";
import { useSelection } from "@/components/selection/use-selection.ts";
import { useDirectedRun } from "@/components/stages/use-directed-run.ts";
import { Segmented } from "@/components/ui/segmented.tsx";
import { PlanGraph } from "./plan-graph.tsx";
import { PlanLoading } from "./plan-loading.tsx";
import { usePlanScope } from "./session-map/use-plan-scope.ts";

/** Only turns of the main graph have stages. */
const StageGraph = dynamic(() => import("@/components/stages/stage-graph.tsx").then((room) => room.StageGraph), {
  loading: PlanLoading,
});
const SessionMap = dynamic(() => import("./session-map/session-map.tsx").then((room) => room.SessionMap), {
  loading: PlanLoading,
});

type Shown = "session" | "plan" | "stages";

/** The map of the session, the plan graph of a run (C4), or its stage graph (D1). */
export function GraphPane() {
  const t = useTranslations();
  const { run } = useResolvedSelection();
  const directed = useDirectedRun();
  const [, select] = useSelection();
  const { scope, byDefault } = usePlanScope();
  const shown: Shown = scope === "session" ? "session" : directed ? "stages" : "plan";
  const hasStages = run !== null && run.stages.length > 0;
  const show = (next: Shown) =>
    select({
      plan: next === "session" ? "session" : byDefault === "run" ? null : "run",
      ...(next !== "session" && { graph: hasStages ? next : null, node: null }),
    });
  useShortcuts({ map: () => show(shown === "session" ? (hasStages && directed ? "stages" : "plan") : "session") });
  const options: Shown[] = hasStages ? ["session", "plan", "stages"] : ["session", "plan"];
  return (
    <section className="pg-pane" aria-label={t(LABELS[shown])}>
      {run !== null && (
        <div className="pg-switch">
          <Segmented
            label={t("stages.switch")}
            value={shown}
            options={options.map((value) => ({ value, label: t(`stages.graph.${value}`) }))}
            onChange={show}
          />
        </div>
      )}
      {shown === "session" ? <SessionMap /> : directed ? <StageGraph run={directed} /> : <PlanGraph />}
    </section>
  );
}

const LABELS = { session: "graph.map.label", plan: "graph.label", stages: "stages.label" } as const;
