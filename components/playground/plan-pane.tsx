"use client";

import "@xyflow/react/dist/base.css";
import "@/components/graph/graph.css";
import { ReactFlowProvider } from "@xyflow/react";
import { useTranslations } from "next-intl";
import { type DragEvent, type MouseEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { PlanCanvas } from "@/components/graph/canvas/plan-canvas.tsx";
import { startWorker } from "@/components/graph/layout/elk-worker.ts";
import { createLevelReader, type DrawnPlan } from "@/components/graph/level-reader.ts";
import { type PlanEditing, PlanEditingContext } from "@/components/graph/plan-editing.ts";
import type { GraphNode } from "@/components/graph/plan-level.ts";
import { useShortcuts } from "@/components/keys/use-shortcuts.ts";
import { useResolvedSelection } from "@/components/selection/use-resolved-selection.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Button } from "@/components/ui/button.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { EditTools } from "./canvas/edit-tools.tsx";
import { useGraphMenu } from "./canvas/graph-menu.tsx";
import { SelectionBar } from "./canvas/selection-bar.tsx";
import { TOOL_TYPE, ToolPalette } from "./canvas/tool-palette.tsx";
import type { Clipboard } from "./canvas/use-clipboard.ts";
import type { PlanEditor } from "./canvas/use-plan-editor.ts";
import type { SelectedCalls } from "./canvas/use-selected-calls.ts";
import type { Draft } from "./draft/documents.ts";
import { ExampleButtons } from "./draft/examples-menu.tsx";
import type { KnownTools } from "./editor/toolbox.ts";

/** An edge from a call, or from one of its output paths, to another call. */
export interface DrawnEdge {
  from: string;
  to: string;
  /** As printed; null when it is still to be chosen. */
  path: string | null;
}

interface PlanPaneProps {
  /** The identity of a draft: another one starts with a fitted viewport. */
  opened: number;
  isReady: boolean;
  /** The text is invalid, so the graph is of the last valid plan. */
  isBroken: boolean;
  known: KnownTools;
  editor: PlanEditor;
  palette: { shown: boolean; show(shown: boolean): void };
  selected: SelectedCalls;
  clipboard: Clipboard;
  onDraw: (edge: DrawnEdge) => void;
  /** Opens the dialog for an edge from a call. */
  onConnect: (from: string) => void;
  onExample: (draft: Draft) => void;
}

const NOTHING_TOGGLED: ReadonlySet<string> = new Set();

/** The plan graph: calls are added from the palette of tools, and edges are drawn from call to call. */
export function PlanPane(props: PlanPaneProps) {
  const { opened, isReady, isBroken, known, editor, palette, selected, clipboard, onDraw, onConnect, onExample } =
    props;
  const t = useTranslations("playground");
  const tGraph = useTranslations("graph");
  const session = useStudio((state) => state.session);
  const { plan, instance } = useResolvedSelection();
  const [readLevel] = useState(createLevelReader);

  // The layout worker is outside of React: it loads while the text loads.
  useEffect(startWorker, []);

  const drawn = plan && readLevel(session, plan, instance, NOTHING_TOGGLED);
  const nodeAt = (target: EventTarget) => {
    const shown = target instanceof Element ? target.closest(".react-flow__node")?.querySelector("[data-node]") : null;
    const id = shown?.getAttribute("data-node");
    return id === undefined || id === null ? undefined : drawn?.level.nodes.find((node) => node.id === id);
  };
  const menu = useGraphMenu({
    editor,
    clipboard,
    selected,
    callsAt: (target) => callsOf(nodeAt(target)),
    onAdd: () => palette.show(true),
    onConnect,
  });
  useShortcuts({
    mark: ({ target }) => {
      const ids = target ? callsOf(nodeAt(target)) : [];
      if (ids.length === 0) return false;
      selected.also(ids, "toggle");
    },
  });
  const onDoubleClick = ({ target }: MouseEvent) => {
    const isGround = target instanceof Element && target.matches(".react-flow__pane, .pg-empty");
    if (isGround && editor.canEdit) palette.show(true);
  };
  const onDragOver = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes(TOOL_TYPE) || !editor.canEdit) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
  };
  /** A tool that is dropped on a call reads its result. */
  const onDrop = (event: DragEvent) => {
    const tool = event.dataTransfer.getData(TOOL_TYPE);
    if (tool === "") return;
    event.preventDefault();
    const from = nodeAt(event.target)?.call.id ?? null;
    const to = editor.add(tool);
    if (from !== null && to !== null) onDraw({ from, to, path: null });
  };
  const onEdge = (from: string, to: string, output: number | null) => {
    const nodeOf = (node: string) => drawn?.level.nodes.find(({ id }) => id === node);
    const [writer, reader] = [nodeOf(from), nodeOf(to)];
    if (!writer || !reader || writer === reader || !editor.canEdit) return;
    const path = output === null ? null : (writer.box.outputs[output]?.path ?? null);
    onDraw({ from: writer.call.id, to: reader.call.id, path });
  };
  return (
    <section
      className="pg-pane relative"
      aria-label={tGraph("label")}
      onDoubleClick={onDoubleClick}
      onDragOver={onDragOver}
      onDrop={onDrop}
      onContextMenu={menu.onContextMenu}
      onKeyDown={menu.onKeyDown}
    >
      {drawn ? (
        <ReactFlowProvider>
          <Canvas
            plan={drawn}
            identity={`${opened}`}
            editing={{
              draw: onEdge,
              selectOnly: (node) => selected.only([node.call.id]),
              selectAlso: (nodes, how) => selected.also(nodes.flatMap(callsOf), how),
            }}
            marked={selected.marked}
            tools={<EditTools editor={editor} onAdd={() => palette.show(!palette.shown)} isAdding={palette.shown} />}
          >
            {isBroken && (
              <p className="pg-notice pl-broken" role="status">
                <Icon name="warn" size={14} />
                {t("broken")}
              </p>
            )}
            {selected.marked.size > 0 && <SelectionBar selected={selected} editor={editor} clipboard={clipboard} />}
          </Canvas>
        </ReactFlowProvider>
      ) : (
        <>
          <div className="pg-toolbar">
            <h2>{tGraph("title")}</h2>
            <span className="grow" />
            <EditTools editor={editor} onAdd={() => palette.show(!palette.shown)} isAdding={palette.shown} />
          </div>
          <div className="pg-empty">
            {isReady && !palette.shown && (
              <EmptyState
                icon="delegate"
                title={t(isBroken ? "empty.brokenTitle" : "empty.title")}
                actions={
                  !isBroken && (
                    <>
                      <Button variant="primary" disabled={!editor.canEdit} onClick={() => palette.show(true)}>
                        <Icon name="plus" size={14} />
                        {t("draw.add")}
                      </Button>
                      <ExampleButtons onExample={onExample} />
                    </>
                  )
                }
              >
                {t(isBroken ? "empty.broken" : "empty.text")}
              </EmptyState>
            )}
          </div>
        </>
      )}
      {palette.shown && editor.canEdit && (
        <ToolPalette known={known} onAdd={editor.add} onClose={() => palette.show(false)} />
      )}
      {menu.menu}
    </section>
  );
}

/** The calls of a node: those of a collapsed chain, or one. */
function callsOf(node: GraphNode | undefined): string[] {
  if (!node) return [];
  return node.chain ? node.chain.map(({ call }) => call.id) : [node.call.id];
}

interface CanvasProps {
  plan: DrawnPlan;
  identity: string;
  editing: PlanEditing;
  marked: ReadonlySet<string>;
  tools: React.ReactNode;
  children: React.ReactNode;
}

function Canvas({ plan, identity, editing, marked, tools, children }: CanvasProps) {
  const newest = useRef(editing);
  useLayoutEffect(() => {
    newest.current = editing;
  });
  const [stable] = useState<PlanEditing>(() => ({
    draw: (...edge) => newest.current.draw(...edge),
    selectOnly: (node) => newest.current.selectOnly(node),
    selectAlso: (...nodes) => newest.current.selectAlso(...nodes),
  }));
  return (
    <PlanEditingContext value={stable}>
      <PlanCanvas plan={plan} identity={identity} onToggle={nothing} marked={marked} tools={tools}>
        {children}
      </PlanCanvas>
    </PlanEditingContext>
  );
}

const nothing = () => undefined;
