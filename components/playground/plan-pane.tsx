"use client";

import "@xyflow/react/dist/base.css";
import "@/components/graph/graph.css";
import { ReactFlowProvider } from "@xyflow/react";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useEffectEvent, useState } from "react";
import { PlanCanvas } from "@/components/graph/canvas/plan-canvas.tsx";
import { EdgeDrawingContext } from "@/components/graph/edge/edge-drawing.ts";
import { startWorker } from "@/components/graph/layout/elk-worker.ts";
import { createLevelReader, type DrawnPlan } from "@/components/graph/level-reader.ts";
import { useResolvedSelection } from "@/components/selection/use-resolved-selection.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import type { Draft } from "./draft/documents.ts";
import { ExampleButtons } from "./draft/examples-menu.tsx";

interface PlanPaneProps {
  /** The identity of a draft: another one starts with a fitted viewport. */
  opened: number;
  isReady: boolean;
  /** The text is invalid, so the graph is of the last valid plan. */
  isBroken: boolean;
  /** Called with the calls of a drawn edge. */
  onDraw: (from: string, to: string) => void;
  onExample: (draft: Draft) => void;
}

const NOTHING_TOGGLED: ReadonlySet<string> = new Set();

/** The plan graph, in which edges can be drawn. */
export function PlanPane({ opened, isReady, isBroken, onDraw, onExample }: PlanPaneProps) {
  const t = useTranslations("playground");
  const tGraph = useTranslations("graph");
  const session = useStudio((state) => state.session);
  const { plan, instance } = useResolvedSelection();
  const [readLevel] = useState(createLevelReader);

  // The layout worker is outside of React: it loads while the text loads.
  useEffect(startWorker, []);

  const drawn = plan && readLevel(session, plan, instance, NOTHING_TOGGLED);
  return (
    <section className="pg-pane" aria-label={tGraph("label")}>
      {drawn ? (
        <ReactFlowProvider>
          <Canvas plan={drawn} identity={`${opened}`} onDraw={onDraw}>
            {isBroken && (
              <p className="pg-notice" role="status">
                {t("broken")}
              </p>
            )}
          </Canvas>
        </ReactFlowProvider>
      ) : (
        <>
          <div className="pg-toolbar">
            <h2>{tGraph("title")}</h2>
          </div>
          <div className="pg-empty">
            {isReady && (
              <EmptyState icon="delegate" title={t("empty.title")} actions={<ExampleButtons onExample={onExample} />}>
                {t("empty.text")}
              </EmptyState>
            )}
          </div>
        </>
      )}
    </section>
  );
}

interface CanvasProps {
  plan: DrawnPlan;
  identity: string;
  onDraw: PlanPaneProps["onDraw"];
  children: React.ReactNode;
}

function Canvas({ plan, identity, onDraw, children }: CanvasProps) {
  const onConnect = useEffectEvent((from: string, to: string) => {
    const idOf = (node: string) => plan.level.nodes.find(({ id }) => id === node)?.call.id;
    const [writer, reader] = [idOf(from), idOf(to)];
    if (writer !== undefined && reader !== undefined && writer !== reader) onDraw(writer, reader);
  });
  const draw = useCallback((from: string, to: string) => onConnect(from, to), []);
  return (
    <EdgeDrawingContext value={draw}>
      <PlanCanvas plan={plan} identity={identity} onToggle={nothing}>
        {children}
      </PlanCanvas>
    </EdgeDrawingContext>
  );
}

const nothing = () => undefined;
