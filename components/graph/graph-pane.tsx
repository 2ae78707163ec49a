"use client";

import "./graph.css";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useResolvedSelection } from "@/components/selection/use-resolved-selection.ts";
import { GRAPHS, useSelection } from "@/components/selection/use-selection.ts";
import { useDirectedRun } from "@/components/stages/use-directed-run.ts";
import { Segmented } from "@/components/ui/segmented.tsx";
import { PlanGraph } from "./plan-graph.tsx";

/** Only turns of the main graph have stages. */
const StageGraph = dynamic(() => import("@/components/stages/stage-graph.tsx").then((room) => room.StageGraph));

/** The plan graph of a run (C4), or its stage graph (D1). */
export function GraphPane() {
  const t = useTranslations();
  const { run } = useResolvedSelection();
  const directed = useDirectedRun();
  const [, select] = useSelection();
  return (
    <section className="pg-pane" aria-label={t(directed ? "stages.label" : "graph.label")}>
      {run !== null && run.stages.length > 0 && (
        <div className="pg-switch">
          <Segmented
            label={t("stages.switch")}
            value={directed ? "stages" : "plan"}
            options={GRAPHS.map((value) => ({ value, label: t(`stages.graph.${value}`) }))}
            onChange={(value) => select({ graph: value, node: null })}
          />
        </div>
      )}
      {directed ? <StageGraph run={directed} /> : <PlanGraph />}
    </section>
  );
}
