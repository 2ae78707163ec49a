"use client";

import "@xyflow/react/dist/base.css";
import { ReactFlowProvider } from "@xyflow/react";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useState } from "react";
import { PlaygroundLink } from "@/components/playground/draft/playground-link.tsx";
import { useResolvedSelection } from "@/components/selection/use-resolved-selection.ts";
import { useSelection } from "@/components/selection/use-selection.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { isOfUnreadSpans } from "@/lib/session/unread-spans.ts";
import { PlanCanvas } from "./canvas/plan-canvas.tsx";
import { useInferred } from "./edge/use-inferred.ts";
import { IterationBar } from "./iteration-bar.tsx";
import { startWorker } from "./layout/elk-worker.ts";
import { ROUTED_LIMIT } from "./layout/lay-out.ts";
import { IterationMarksContext } from "./node/iteration-marks.ts";
import { createIterationsReader } from "./plan-iterations.ts";
import type { Toggled } from "./plan-level.ts";
import { PlanProblems } from "./plan-problems.tsx";
import { useDrawnPlan } from "./use-drawn-plan.ts";
import { whyNoCalls } from "./why-no-calls.ts";

/** The studio's plan graph at the current step (C4). */
export function PlanGraph() {
  const t = useTranslations("graph");
  const session = useStudio((state) => state.session);
  const { plan, run, instance } = useResolvedSelection();
  const [selection] = useSelection();
  const [readIterations] = useState(createIterationsReader);
  const [toggled, setToggled] = useState<Toggled>(new Set());
  const toggle = useCallback((id: string) => setToggled((before) => flip(before, id)), []);

  const inferred = useInferred(plan?.recorded ? { run: plan.run_id, calls: plan.calls.length } : null);
  const drawn = useDrawnPlan({ session, plan, instance, toggled, inferred: inferred.edges });

  // The layout worker is outside of React: it loads while the plan loads. A large plan does not need it.
  const isRouted = plan === null || plan.calls.length <= ROUTED_LIMIT;
  useEffect(() => {
    if (isRouted) startWorker();
  }, [isRouted]);

  if (!plan) {
    const why = isOfUnreadSpans(session) ? "unread" : whyNoCalls(run);
    return (
      <>
        <div className="pg-toolbar">
          <h2>{t("title")}</h2>
        </div>
        <div className="pg-empty">
          <EmptyState
            icon="delegate"
            title={t(why === "unread" ? "empty.unread" : why ? "empty.noCalls" : "empty.noPlan")}
          >
            {t(why ? `empty.why.${why}` : "empty.noPlanWhy")}
          </EmptyState>
        </div>
      </>
    );
  }
  if (!drawn) {
    return (
      <>
        <div className="pg-toolbar">
          <h2>{t("title")}</h2>
        </div>
        <div className="pg-canvas">
          <p className="pg-loading" role="status">
            {t("layingOut")}
          </p>
        </div>
      </>
    );
  }
  const iterations = readIterations({ session, plan, drawn, instance, toggled });
  // With a merged layout the viewport is kept.
  const place = iterations.ground ? "ground" : selection.iteration === null && plan.recorded ? "" : plan.iteration;
  return (
    <ReactFlowProvider>
      <IterationMarksContext value={iterations.marks}>
        <PlanCanvas
          plan={drawn}
          identity={`${plan.run_id} ${place}`}
          iterations={iterations}
          onToggle={toggle}
          inferred={inferred}
          tools={<PlaygroundLink plan={plan} />}
        >
          <PlanProblems />
          <IterationBar changes={iterations.changes} />
        </PlanCanvas>
      </IterationMarksContext>
    </ReactFlowProvider>
  );
}

function flip(toggled: Toggled, id: string): Toggled {
  return toggled.has(id) ? new Set([...toggled].filter((other) => other !== id)) : new Set([...toggled, id]);
}
