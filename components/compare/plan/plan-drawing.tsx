"use client";

import { CANVAS_SETTINGS, KEEP_ALL } from "@/components/graph/canvas/canvas-settings.ts";
import "@xyflow/react/dist/base.css";
import "@/components/graph/graph.css";
import "@/components/graph/marks.css";
import "../compare.css";
import { Background, ReactFlow, ReactFlowProvider, useReactFlow, useStore } from "@xyflow/react";
import { useTranslations } from "next-intl";
import { useEffect, useMemo, useState } from "react";
import type { StoreApi } from "zustand/vanilla";
import { Captions } from "@/components/graph/canvas/captions.tsx";
import { FindCall } from "@/components/graph/canvas/find-call.tsx";
import { flowNodes, highlightNodes } from "@/components/graph/canvas/flow-elements.ts";
import { useArrowKeys } from "@/components/graph/canvas/use-arrow-keys.ts";
import { moveDuration, useFitView } from "@/components/graph/canvas/use-fit-view.ts";
import { useShowSelected } from "@/components/graph/canvas/use-show-selected.ts";
import { detailAt } from "@/components/graph/canvas/viewport.ts";
import { EdgeLayer } from "@/components/graph/edge/edge-layer.tsx";
import { readSelectedPath } from "@/components/graph/edge/highlight.ts";
import { type GraphActions, GraphActionsContext } from "@/components/graph/graph-actions.ts";
import { startWorker } from "@/components/graph/layout/elk-worker.ts";
import { useLayout } from "@/components/graph/layout/use-layout.ts";
import { CallNode } from "@/components/graph/node/call-node.tsx";
import { IterationMarksContext } from "@/components/graph/node/iteration-marks.ts";
import { ALONE } from "@/components/graph/plan-iterations.ts";
import { createPlanStore } from "@/components/playground/plan-store.ts";
import type { StudioState } from "@/components/studio/studio-state.ts";
import { StudioContext } from "@/components/studio/use-studio.ts";
import { IconButton } from "@/components/ui/icon-button.tsx";
import type { PlanPair } from "@/lib/session/compare/plans.ts";
import { planKey } from "@/lib/session/keys.ts";
import { emptySession } from "@/lib/session/reducer/reducer.ts";
import type { Call, Plan, Session, View } from "@/lib/session/session.ts";
import { fromView } from "@/lib/session/view.ts";
import { EdgeMarks } from "./edge-marks.tsx";
import { type MergedPlan, mergePlans, nodeId, sidedRun } from "./merge-plans.ts";

const NODE_TYPES = { call: CallNode };

const NOTHING_FOUND: ReadonlySet<string> = new Set();

interface PlanDrawingProps {
  pair: PlanPair;
  /** The identity of a pair: another one starts with a fitted viewport. */
  identity: string;
  a: View;
  b: View;
  selected: { call: string | null; path: string | null };
  onSelect: (selected: { call: string } | { path: string } | null) => void;
}

/** A pair of plans as one graph, with differences marked as between iterations (C10). */
export function PlanDrawing({ pair, identity, a, b, selected, onSelect }: PlanDrawingProps) {
  const t = useTranslations("compare.plan");
  const merged = useMemo(() => mergePlans(pair), [pair]);
  const store = useMemo(() => storeOf(pair, fromView(a), fromView(b)), [pair, a, b]);
  // The layout worker is outside of React: it loads while the tab loads.
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
  const framing = useFitView(laidOut?.layout, identity);
  const [found, setFound] = useState(NOTHING_FOUND);
  const onKeyDown = useArrowKeys(laidOut?.layout);
  const id = selected.call === null ? null : nodeId(selected.call);
  useShowSelected(laidOut?.layout, id);
  const path = useMemo(() => readSelectedPath(selected.path), [selected.path]);
  const bare = useMemo(() => (laidOut ? flowNodes(laidOut.layout) : []), [laidOut]);
  const nodes = useMemo(
    () => highlightNodes(bare, { path, selected: id, found, marked: NOTHING_FOUND }),
    [bare, path, id, found],
  );
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

/** Delegates and chains are not expanded: each delegate has its own pair of plans. */
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

const KINDS = ["added", "changed", "removed"] as const;
const SIGNS = { added: "+", changed: "~", removed: "−" } as const;
const STANDING = { added: "b", changed: "changed", removed: "a" } as const;

/** The legend of the marks, with the number of calls of each. */
function PlanLegend({ pair }: { pair: PlanPair }) {
  const t = useTranslations("compare.plan.legend");
  if (!pair.a || !pair.b) return <p className="text-fg-2">{t(pair.a ? "onlyA" : "onlyB")}</p>;
  return (
    <>
      <ul className="flex min-w-0 items-center gap-x-4 overflow-hidden text-fg-2">
        {KINDS.map((kind) => (
          <li key={kind} className="flex flex-none items-center gap-1.5">
            <span className="pg-mark-sign" data-kind={kind} aria-hidden>
              {SIGNS[kind]}
            </span>
            {t(kind, { count: pair.calls.filter(({ standing }) => standing === STANDING[kind]).length })}
          </li>
        ))}
      </ul>
      <span className="min-w-0 shrink-1000 truncate pl-4 text-fg-3 max-lg:hidden" title={t("status")}>
        {t("status")}
      </span>
    </>
  );
}

/** The calls of a pair of plans for the graph: the second side's, else the first's. */
function storeOf(pair: PlanPair, a: Session, b: Session): StoreApi<StudioState> {
  const [ofA, ofB] = [callsOf(pair.a, a), callsOf(pair.b, b)];
  const known = pair.calls.flatMap(({ id, b: inB }): [string, Call][] => {
    const call = (inB === null ? ofA : ofB).get(id);
    return call ? [[nodeId(id), call]] : [];
  });
  const sided = (side: "a" | "b", plan: Plan | null): [string, Plan][] =>
    plan ? [[planKey(sidedRun(side, plan.run_id), plan.iteration), plan]] : [];
  const { store, show } = createPlanStore();
  const session = emptySession(null);
  show([{ ...session, calls: new Map(known), plans: new Map([...sided("a", pair.a), ...sided("b", pair.b)]) }]);
  return store;
}

/** The calls of a plan by id, with those that had succeeded before. Of several instances, a failed one. */
function callsOf(plan: Plan | null, session: Session): Map<string, Call> {
  const found = new Map<string, Call>();
  if (!plan) return found;
  const isOwn = (call: Call) => call.run_id === plan.run_id && call.iteration === plan.iteration;
  for (const call of session.calls.values()) {
    const known = found.get(call.id);
    const isBetter = isOwn(call) ? !known || !isOwn(known) || known.status !== "failed" : !known || !isOwn(known);
    if (isBetter && (isOwn(call) || call.status === "succeeded")) found.set(call.id, call);
  }
  return found;
}
