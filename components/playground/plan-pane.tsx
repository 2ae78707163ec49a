"use client";

import "@xyflow/react/dist/base.css";
import "@/components/graph/graph.css";
import { ReactFlowProvider } from "@xyflow/react";
import { useTranslations } from "next-intl";
import { type DragEvent, type MouseEvent, useCallback, useEffect, useEffectEvent, useState } from "react";
import { PlanCanvas } from "@/components/graph/canvas/plan-canvas.tsx";
import { EdgeDrawingContext } from "@/components/graph/edge/edge-drawing.ts";
import { startWorker } from "@/components/graph/layout/elk-worker.ts";
import { createLevelReader, type DrawnPlan } from "@/components/graph/level-reader.ts";
import { useResolvedSelection } from "@/components/selection/use-resolved-selection.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Button } from "@/components/ui/button.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { EditTools } from "./canvas/edit-tools.tsx";
import { TOOL_TYPE, ToolPalette } from "./canvas/tool-palette.tsx";
import type { PlanEditor } from "./canvas/use-plan-editor.ts";
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
  onDraw: (edge: DrawnEdge) => void;
  onExample: (draft: Draft) => void;
}

const NOTHING_TOGGLED: ReadonlySet<string> = new Set();

/** The plan graph: calls are added from the palette of tools, and edges are drawn from call to call. */
export function PlanPane({ opened, isReady, isBroken, known, editor, palette, onDraw, onExample }: PlanPaneProps) {
  const t = useTranslations("playground");
  const tGraph = useTranslations("graph");
  const session = useStudio((state) => state.session);
  const { plan, instance } = useResolvedSelection();
  const [readLevel] = useState(createLevelReader);

  // The layout worker is outside of React: it loads while the text loads.
  useEffect(startWorker, []);

  const drawn = plan && readLevel(session, plan, instance, NOTHING_TOGGLED);
  const callAt = (target: EventTarget) => {
    const node = target instanceof Element ? target.closest("[data-id]")?.getAttribute("data-id") : null;
    return drawn?.level.nodes.find(({ id }) => id === node)?.call.id ?? null;
  };
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
    const from = callAt(event.target);
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
    >
      {drawn ? (
        <ReactFlowProvider>
          <Canvas
            plan={drawn}
            identity={`${opened}`}
            onEdge={onEdge}
            tools={<EditTools editor={editor} onAdd={() => palette.show(!palette.shown)} isAdding={palette.shown} />}
          >
            {isBroken && (
              <p className="pg-notice pl-broken" role="status">
                <Icon name="warn" size={14} />
                {t("broken")}
              </p>
            )}
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
    </section>
  );
}

interface CanvasProps {
  plan: DrawnPlan;
  identity: string;
  /** Called with the nodes of a drawn edge, and the output from which it starts. */
  onEdge: (from: string, to: string, output: number | null) => void;
  tools: React.ReactNode;
  children: React.ReactNode;
}

function Canvas({ plan, identity, onEdge, tools, children }: CanvasProps) {
  const onConnect = useEffectEvent(onEdge);
  const draw = useCallback((from: string, to: string, output: number | null) => onConnect(from, to, output), []);
  return (
    <EdgeDrawingContext value={draw}>
      <PlanCanvas plan={plan} identity={identity} onToggle={nothing} tools={tools}>
        {children}
      </PlanCanvas>
    </EdgeDrawingContext>
  );
}

const nothing = () => undefined;
