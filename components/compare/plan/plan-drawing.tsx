"use client";

import { CANVAS_SETTINGS, KEEP_ALL } from "@/components/graph/canvas/canvas-settings.ts";
import "@xyflow/react/dist/base.css";
import "@/components/graph/graph.css";
import "@/components/graph/marks.css";
import "../compare.css";
import { Background, ReactFlow, ReactFlowProvider, useReactFlow, useStore } from "@xyflow/react";
import { useTranslations } from "next-intl";
import { useEffect, useMemo, useState } from "react";
import { Captions } from "@/components/graph/canvas/captions.tsx";
import { FindCall } from "@/components/graph/canvas/find-call.tsx";
import { flowNodes, lightNodes } from "@/components/graph/canvas/flow-elements.ts";
import { useArrowKeys } from "@/components/graph/canvas/use-arrow-keys.ts";
import { moveDuration, useFraming } from "@/components/graph/canvas/use-framing.ts";
import { useShowSelected } from "@/components/graph/canvas/use-show-selected.ts";
import { detailAt } from "@/components/graph/canvas/viewport.ts";
import { EdgeLayer } from "@/components/graph/edge/edge-layer.tsx";
import { readSelectedPath } from "@/components/graph/edge/light.ts";
import { type GraphActions, GraphActionsContext } from "@/components/graph/graph-actions.ts";
import { startWorker } from "@/components/graph/layout/elk-worker.ts";
import { useLayout } from "@/components/graph/layout/use-layout.ts";
import { CallNode } from "@/components/graph/node/call-node.tsx";
import { IterationMarksContext } from "@/components/graph/node/iteration-marks.ts";
import { ALONE } from "@/components/graph/plan-iterations.ts";
import { StudioContext } from "@/components/studio/use-studio.ts";
import { IconButton } from "@/components/ui/icon-button.tsx";
import type { PlanPair } from "@/lib/session/compare/plans.ts";
import type { View } from "@/lib/session/session.ts";
import { fromView } from "@/lib/session/view.ts";
import { EdgeMarks } from "./edge-marks.tsx";
import { type MergedPlan, mergePlans, nodeId } from "./merge-plans.ts";
import { PlanLegend } from "./plan-legend.tsx";
import { storeOf } from "./plan-store.ts";

const NODE_TYPES = { call: CallNode };

const NOTHING_FOUND: ReadonlySet<string> = new Set();

interface PlanDrawingProps {
  pair: PlanPair;
  /** Tells pairs apart: another one is looked at from its beginning. */
  identity: string;
  a: View;
  b: View;
  selected: { call: string | null; path: string | null };
  onSelect: (selected: { call: string } | { path: string } | null) => void;
}

/** Two plans as one graph, with what differs of their calls and edges marked as between iterations (C10). */
export function PlanDrawing({ pair, identity, a, b, selected, onSelect }: PlanDrawingProps) {
  const t = useTranslations("compare.plan");
  const merged = useMemo(() => mergePlans(pair), [pair]);
  const store = useMemo(() => storeOf(pair, fromView(a), fromView(b)), [pair, a, b]);
  // The worker is outside of React: it loads while the tab is still on its way.
  useEffect(startWorker, []);
  return (
    <StudioContext value={store}>
      <ReactFlowProvider>
        <IterationMarksContext value={merged.marks}>
          <section className="pg-pane" aria-label={t("drawing")}>
            <Canvas pair={pair} merged={merged} identity={identity} selected={selected} onSelect={onSelect} />
          </section>
        </IterationMarksContext>
      </ReactFlowProvider>
    </StudioContext>
  );
}

type CanvasProps = Pick<PlanDrawingProps, "pair" | "identity" | "selected" | "onSelect"> & { merged: MergedPlan };

function Canvas({ pair, merged, identity, selected, onSelect }: CanvasProps) {
  const t = useTranslations("graph");
  const laidOut = useLayout(merged.drawn, ALONE);
  const framing = useFraming(laidOut?.layout, identity);
  const [found, setFound] = useState(NOTHING_FOUND);
  const onKeyDown = useArrowKeys(laidOut?.layout);
  const id = selected.call === null ? null : nodeId(selected.call);
  useShowSelected(laidOut?.layout, id);
  const path = useMemo(() => readSelectedPath(selected.path), [selected.path]);
  const bare = useMemo(() => (laidOut ? flowNodes(laidOut.layout) : []), [laidOut]);
  const nodes = useMemo(() => lightNodes(bare, { path, selected: id, found }), [bare, path, id, found]);
  const detail = useStore((state) => detailAt(state.transform[2]));
  const isLarge = merged.drawn.level.size > KEEP_ALL;
  const actions = useActions(onSelect);
  return (
    <GraphActionsContext value={actions}>
      <div className="pg-toolbar">
        <PlanLegend pair={pair} />
        <span className="grow" />
        <FindCall nodes={laidOut?.layout.nodes ?? []} onFound={setFound} />
        <Zoom onFit={framing.fit} />
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it hears the arrow keys of the calls inside it */}
      <div className="pg-canvas" data-detail={detail} data-large={isLarge || undefined} onKeyDown={onKeyDown}>
        <ReactFlow
          {...CANVAS_SETTINGS}
          nodes={nodes}
          nodeTypes={NODE_TYPES}
          onlyRenderVisibleElements={isLarge}
          onMoveStart={framing.onMove}
          onPaneClick={() => onSelect(null)}
          aria-label={t("label")}
        >
          <Background gap={16} size={1} />
          {laidOut && <Captions layout={laidOut.layout} />}
          {laidOut && <EdgeMarks layout={laidOut.layout} merged={merged} />}
          {laidOut && <EdgeLayer layout={laidOut.layout} path={path} cull={isLarge} />}
        </ReactFlow>
        {!laidOut && (
          <p className="pg-loading" role="status">
            {t("layingOut")}
          </p>
        )}
        {laidOut?.layout.simplified && (
          <p className="pg-notice" role="status">
            {t("simplified")}
          </p>
        )}
      </div>
    </GraphActionsContext>
  );
}

function Zoom({ onFit }: { onFit: () => void }) {
  const t = useTranslations("graph");
  const { zoomIn, zoomOut } = useReactFlow();
  return (
    <>
      <IconButton icon="minus" name={t("zoomOut")} onClick={() => zoomOut({ duration: moveDuration() })} />
      <IconButton icon="plus" name={t("zoomIn")} onClick={() => zoomIn({ duration: moveDuration() })} />
      <IconButton icon="fit" name={t("fit")} onClick={onFit} />
    </>
  );
}

/** No delegates and no chains are opened here: each has a plan of its own to compare. */
function useActions(onSelect: PlanDrawingProps["onSelect"]): GraphActions {
  return useMemo(
    () => ({
      selectCall: ({ call }) => onSelect({ call: call.id }),
      selectPath: (path) => onSelect({ path }),
      toggleFrame: () => undefined,
      toggleChain: () => undefined,
      showSource: () => undefined,
    }),
    [onSelect],
  );
}
