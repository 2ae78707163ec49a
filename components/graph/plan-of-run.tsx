"use client";

import "@xyflow/react/dist/base.css";
import { ReactFlowProvider } from "@xyflow/react";
import { useCallback, useEffect, useState } from "react";
import { PlaygroundLink } from "@/components/playground/draft/playground-link.tsx";
import { useSelection } from "@/components/selection/use-selection.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import type { Plan } from "@/lib/session/session.ts";
import { PlanCanvas } from "./canvas/plan-canvas.tsx";
import { useInferred } from "./edge/use-inferred.ts";
import { IterationBar } from "./iteration-bar.tsx";
import { startWorker } from "./layout/elk-worker.ts";
import { ROUTED_LIMIT } from "./layout/lay-out.ts";
import { IterationMarksContext } from "./node/iteration-marks.ts";
import { createIterationsReader } from "./plan-iterations.ts";
import type { Toggled } from "./plan-level.ts";
import { PlanLoading } from "./plan-loading.tsx";
import { PlanProblems } from "./plan-problems.tsx";
import { useDrawnPlan } from "./use-drawn-plan.ts";

interface PlanOfRunProps {
  plan: Plan;
  instance: string;
}

/** The graph of a plan at the current step. */
export function PlanOfRun({ plan, instance }: PlanOfRunProps) {
  const session = useStudio((state) => state.session);
  const [selection] = useSelection();
  const [readIterations] = useState(createIterationsReader);
  const [toggled, setToggled] = useState<Toggled>(new Set());
  const toggle = useCallback((id: string) => setToggled((before) => flip(before, id)), []);

  // The layout worker is outside of React: it loads while the plan is read. A large plan does not need it.
  const isRouted = plan.calls.length <= ROUTED_LIMIT;
  useEffect(() => {
    if (isRouted) startWorker();
  }, [isRouted]);

  const inferred = useInferred(plan.recorded ? { run: plan.run_id, calls: plan.calls.length } : null);
  const drawn = useDrawnPlan({ session, plan, instance, toggled, inferred: inferred.edges });
  if (!drawn) return <PlanLoading />;
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
