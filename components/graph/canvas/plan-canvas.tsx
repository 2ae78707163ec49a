"use client";

import { Background, ReactFlow, useStore, ViewportPortal } from "@xyflow/react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { memo, type ReactNode, type RefObject, use, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useGradually } from "@/components/replay/use-gradually.ts";
import { findCall } from "@/components/selection/select-call.ts";
import { useResolvedSelection } from "@/components/selection/use-resolved-selection.ts";
import { useSelection } from "@/components/selection/use-selection.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { EdgeLayer } from "../edge/edge-layer.tsx";
import { readSelectedPath } from "../edge/highlight.ts";
import type { Inferred } from "../edge/use-inferred.ts";
import { includesCall } from "../find-in-session.ts";
import { GraphActionsContext } from "../graph-actions.ts";
import type { Layout, PlacedNode } from "../layout/layout.ts";
import { type LaidOut, useLayout } from "../layout/use-layout.ts";
import type { DrawnPlan } from "../level-reader.ts";
import { CallNode } from "../node/call-node.tsx";
import { ChainNode } from "../node/chain-node.tsx";
import { FrameNode } from "../node/frame-node.tsx";
import { PlanEditingContext } from "../plan-editing.ts";
import { ALONE, type PlanIterations } from "../plan-iterations.ts";
import { useAsTable } from "../table/use-as-table.ts";
import { useGraphActionsOf } from "../use-graph-actions-of.ts";
import { BoxSelection } from "./box-selection.tsx";
import { CANVAS_SETTINGS, KEEP_ALL } from "./canvas-settings.ts";
import { Captions } from "./captions.tsx";
import { type CallFlowNode, flowNodeMaker, goneHider, highlightNodes, idReuser, type Looks } from "./flow-elements.ts";
import { Legend } from "./legend.tsx";
import { MiniMap } from "./mini-map.tsx";
import { PlanToolbar } from "./plan-toolbar.tsx";
import { useArrowKeys } from "./use-arrow-keys.ts";
import { firstViewport, useFitView } from "./use-fit-view.ts";
import { useFocus } from "./use-focus.ts";
import { useShowNode } from "./use-show-node.ts";
import { useShowSelected } from "./use-show-selected.ts";
import { type Region, touches, useVisibleTiles } from "./use-visible-tiles.ts";
import { detailAt, type Size } from "./viewport.ts";

/** Rarely used, so loaded on demand. */
const PlanTable = dynamic(() => import("../table/plan-table.tsx").then((room) => room.PlanTable), {
  loading: () => null,
});

const NODE_TYPES = { call: CallNode, frame: FrameNode, chain: ChainNode };

const NOTHING_FOUND: ReadonlySet<string> = new Set();
/** Calls that appear in one frame while the step changes; their edges follow. */
const NEW_CALLS = 3;

interface PlanCanvasProps {
  plan: DrawnPlan;
  /** The identity of a plan: another one starts with a fitted viewport. */
  identity: string;
  onToggle: (id: string) => void;
  /** What the plan shares with the run's other iterations. */
  iterations?: PlanIterations;
  /** Ids of calls that are selected together; fewer than two are none. */
  marked?: ReadonlySet<string>;
  /** The switch of inferred edges, if there are any. */
  inferred?: Pick<Inferred, "any" | "shown" | "toggle">;
  /** Additional controls of the toolbar. */
  tools?: ReactNode;
  /** Overlays of the graph. */
  children?: ReactNode;
}

/** The toolbar and the graph with its mini-map and legend, or the plan as a table. */
export function PlanCanvas(props: PlanCanvasProps) {
  const { plan, identity, onToggle, iterations = ALONE, marked = NOTHING_FOUND, inferred, tools, children } = props;
  const t = useTranslations("graph");
  const laidOut = useLayout(plan, iterations, identity);
  const editing = use(PlanEditingContext);
  const focusOf = useFocus();
  const framing = useFitView(laidOut?.layout, identity, focusOf);
  const [found, setFound] = useState(NOTHING_FOUND);
  const overview = useOverview(laidOut?.layout);
  const [canvas, moveFocus] = useMoveFocus(laidOut?.layout);
  const actions = useGraphActionsOf(onToggle, moveFocus);
  const onKeyDown = useArrowKeys(laidOut?.layout);
  const table = useAsTable();
  const { nodes, path, selected } = useNodes(laidOut, identity, { found, marked }, editing !== null);
  const shown = useGradually(nodes, NEW_CALLS, idOf);
  const [withGone] = useState(goneHider);
  useShowSelected(laidOut?.layout, selected);
  const detail = useStore((state) => detailAt(state.transform[2]));
  const [, select] = useSelection();
  const size = laidOut?.plan.level.size ?? 0;
  return (
    <GraphActionsContext value={actions}>
      <PlanToolbar
        plan={plan}
        laidOut={laidOut}
        table={table}
        overview={overview}
        inferred={inferred}
        onFit={framing.fit}
        onFound={setFound}
      >
        {tools}
      </PlanToolbar>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it hears the arrow keys of the calls inside it */}
      <div
        ref={canvas}
        className="pg-canvas"
        data-detail={detail}
        data-large={size > KEEP_ALL || undefined}
        onKeyDown={onKeyDown}
      >
        {table.shown ? (
          <PlanTable plan={plan} />
        ) : (
          <ReactFlow
            {...CANVAS_SETTINGS}
            nodes={size > KEEP_ALL ? [...shown] : withGone(shown)}
            nodeTypes={NODE_TYPES}
            onlyRenderVisibleElements={size > KEEP_ALL}
            nodesConnectable={editing !== null}
            onConnect={({ source, target, sourceHandle }) =>
              editing?.draw(source, target, sourceHandle === null ? null : Number(sourceHandle))
            }
            onMoveStart={framing.onMove}
            onPaneClick={() => select({ call: null, path: null })}
            aria-label={t("label")}
          >
            <Background gap={16} size={1} />
            {laidOut && <Captions layout={laidOut.layout} />}
            {laidOut && laidOut.gone.length > 0 && <RemovedCalls gone={laidOut.gone} />}
            {laidOut && shown.length === nodes.length && (
              <EdgeLayer layout={laidOut.layout} path={path} cull={size > KEEP_ALL} />
            )}
            {laidOut && editing && <BoxSelection layout={laidOut.layout} onSelect={editing.selectAlso} />}
          </ReactFlow>
        )}
        {children}
        {laidOut && overview.shown && !table.shown && <Overview layout={laidOut.layout} />}
        {!laidOut && !table.shown && (
          <p className="pg-loading" role="status">
            {t("layingOut")}
          </p>
        )}
        {laidOut?.layout.simplified && !table.shown && (
          <p className="pg-notice" role="status">
            {t("simplified")}
          </p>
        )}
      </div>
    </GraphActionsContext>
  );
}

function idOf({ id }: CallFlowNode): string {
  return id;
}

function isNear({ x, y, box }: PlacedNode, near: Region): boolean {
  return touches({ left: x, top: y, right: x + box.width, bottom: y + box.height }, near);
}

function useNodes(
  laidOut: LaidOut | undefined,
  identity: string,
  { found, marked }: Pick<Looks, "found" | "marked">,
  drawing: boolean,
) {
  const [{ path, call }] = useSelection();
  const looked = useResolvedSelection();
  const session = useStudio((state) => state.session);
  const [reuseIds] = useState(idReuser);
  const [made] = useState(() => new WeakMap<PlacedNode, CallFlowNode>());
  const flowNodeOf = useMemo(() => {
    if (!laidOut) return undefined;
    const { layout } = laidOut;
    return drawing
      ? flowNodeMaker(layout, true, undefined, made)
      : flowNodeMaker(layout, false, reuseIds(identity, layout.nodes));
  }, [laidOut, drawing, identity, reuseIds, made]);
  const reference = useMemo(() => readSelectedPath(path), [path]);
  const selectedCall = useMemo(() => findCall(session, looked, call), [session, looked, call]);
  const selected = useMemo(
    () =>
      (selectedCall && laidOut?.layout.nodes.find(({ node }) => includesCall(session, node, selectedCall))?.node.id) ??
      null,
    [laidOut, session, selectedCall],
  );
  const near = useVisibleTiles((laidOut?.plan.level.size ?? 0) > KEEP_ALL);
  const nodes = useMemo(() => {
    if (!laidOut || !flowNodeOf) return [];
    const all = laidOut.layout.nodes;
    const shown = near ? all.filter((placed) => isNear(placed, near)) : all;
    return highlightNodes(shown.map(flowNodeOf), { path: reference, selected, found, marked });
  }, [laidOut, flowNodeOf, near, reference, selected, found, marked]);
  return { nodes, path: reference, selected };
}

/** The mini-map and the legend, in the lower left corner. */
function Overview({ layout }: { layout: Layout }) {
  return (
    <div className="pg-overview">
      <MiniMap layout={layout} />
      <Legend recorded={layout.asText} inferred={layout.nodes.some(({ node }) => node.brought.length > 0)} />
    </div>
  );
}

/** Where calls were that the previous iteration had and this plan does not; the iteration bar names them. */
const RemovedCalls = memo(function GoneCalls({ gone }: { gone: readonly PlacedNode[] }) {
  const t = useTranslations("graph.iterations");
  return (
    <ViewportPortal>
      {gone.map(({ node, box, x, y }) => (
        <div
          key={node.id}
          className="pg-gone"
          style={{ left: x, top: y + box.top, width: box.width, height: box.height - box.top }}
        >
          <s>{node.call.tool}</s>
          <span className="pg-mark" data-kind="removed">
            {t("kinds.removed")}
          </span>
        </div>
      ))}
    </ViewportPortal>
  );
});

/** Focuses a node of the next layout, which replaces the pressed one. */
function useMoveFocus(layout: Layout | undefined): [RefObject<HTMLDivElement | null>, (id: string) => void] {
  const canvas = useRef<HTMLDivElement>(null);
  const wanted = useRef<string | null>(null);
  const show = useShowNode();

  // React Flow mounts the node only when it is in the viewport.
  useEffect(() => {
    const placed = layout?.nodes.find(({ node }) => node.id === wanted.current);
    if (!placed) return;
    wanted.current = null;
    void show(placed).then(() => {
      for (const button of canvas.current?.querySelectorAll<HTMLElement>("[data-node]") ?? [])
        if (button.dataset.node === placed.node.id) button.focus({ preventScroll: true });
    });
  }, [layout, show]);

  const moveFocus = useCallback((id: string) => {
    wanted.current = id;
  }, []);
  return [canvas, moveFocus];
}

/**
 * Whether mini-map and legend are shown: as the reader chose, else if the initial viewport leaves their corner free.
 */
function useOverview(layout: Layout | undefined): { shown: boolean; toggle(): void } {
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const [wish, setWish] = useState<boolean | null>(null);
  const shown = layout !== undefined && (wish ?? isFree(layout, { width, height }));
  return { shown, toggle: () => setWish(!shown) };
}

/** The size of mini-map and legend, px. */
const OVERVIEW = { width: 330, height: 134, margin: 14 } as const;

/** In narrower panes they are closed by default. */
const LEAST_WIDTH = 700;

/** A plan of fewer calls needs no mini-map. */
const LEAST_CALLS = 5;

/** Whether no call or edge is in the lower left corner of the initial viewport. */
function isFree(layout: Layout, pane: Size): boolean {
  if (pane.width < LEAST_WIDTH || layout.asText || layout.nodes.length < LEAST_CALLS) return false;
  const { x, y, zoom } = firstViewport(layout, pane, null);
  const right = (OVERVIEW.margin * 2 + OVERVIEW.width - x) / zoom;
  const top = (pane.height - OVERVIEW.margin * 2 - OVERVIEW.height - y) / zoom;
  const freeOfCalls = layout.nodes.every((node) => node.x > right || node.y + node.box.height < top);
  return freeOfCalls && layout.edges.every(({ points }) => points.every((point) => point.x > right || point.y < top));
}
