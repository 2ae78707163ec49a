"use client";

import { useTranslations } from "next-intl";
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { StoreApi } from "zustand/vanilla";
import { ShortcutFooter } from "@/components/keys/shortcut-footer.tsx";
import { useShortcuts } from "@/components/keys/use-shortcuts.ts";
import { OfflineBanner } from "@/components/list/offline-banner.tsx";
import { useSelection } from "@/components/selection/use-selection.ts";
import type { StudioState } from "@/components/studio/studio-state.ts";
import { StudioContext } from "@/components/studio/use-studio.ts";
import { entriesOf } from "@/lib/plan/edit/json-text.ts";
import { ConnectDialog, onlyEdge } from "./canvas/connect-dialog.tsx";
import { useClipboard } from "./canvas/use-clipboard.ts";
import { type PlanEditor, usePlanEditor } from "./canvas/use-plan-editor.ts";
import { type SelectedCalls, useSelectedCalls } from "./canvas/use-selected-calls.ts";
import type { DocumentName } from "./draft/documents.ts";
import { useDraft } from "./draft/use-draft.ts";
import type { EditorHandle, EditorHistory } from "./editor/code-editor.tsx";
import { TextPane } from "./editor/text-pane.tsx";
import { CallForm, FORM_ID } from "./form/call-form.tsx";
import { RUN_ID, SAVE_ID } from "./ids.ts";
import { type DrawnEdge, PlanPane } from "./plan-pane.tsx";
import { createPlanStore } from "./plan-store.ts";
import { PlaygroundBar } from "./playground-bar.tsx";
import { PlaygroundPanes, type Side } from "./playground-panes.tsx";
import { SimulationPane } from "./run/simulation-pane.tsx";
import { type OpenPlan, usePlan } from "./use-plan.ts";

/** The playground (C9): the plan's text, its graph, the form of a call, and the simulation. Text and graph are one. */
export function Playground() {
  const t = useTranslations("playground");
  const draft = useDraft();
  const plan = usePlan(draft.draft, draft.opened);
  const [{ store, show, stop }] = useState(createPlanStore);
  const [document, setDocument] = useState<DocumentName>("plan");
  const [side, setSide] = useState<Side>("text");
  const [edge, setEdge] = useState<DrawnEdge | null>(null);
  const [isAdding, setAdding] = useState(false);
  const [history, setHistory] = useState<EditorHistory | null>(null);
  const editor = useRef<EditorHandle>(null);
  const selected = useSelectedCalls(plan.read.ids);
  const planEditor = usePlanEditor({ plan, selected, editor, history });

  // The outside system is the store that the studio's components read.
  useEffect(() => show(plan.frames), [show, plan.frames]);
  useEffect(() => stop, [stop]);

  const [{ call, tab }, select] = useSelection();
  const openText = () => {
    // What is typed right after the shortcut belongs to the text: it is shown and focused before the next key.
    flushSync(() => {
      setSide("text");
      setDocument("plan");
    });
    editor.current?.focus();
    if (tab === "call") select({ tab: "state" });
    // In a narrow window the form has the text's place until the address has changed.
    if (!editor.current?.hasFocus()) requestAnimationFrame(() => editor.current?.focus());
  };
  const showPlan = () => setDocument("plan");
  /** The selection belongs to the previous plan. */
  const startOver = () => {
    showPlan();
    select({ call: null, path: null });
  };
  const showPalette = (shown: boolean) => {
    if (shown) setSide("graph");
    setAdding(shown);
  };
  const draw = (drawn: DrawnEdge) => {
    const only = onlyEdge(plan, drawn);
    if (only) planEditor.connect(only);
    else setEdge(drawn);
  };
  const connectFrom = (from: string) => setEdge({ from, to: "", path: null });
  const clipboard = useClipboard(planEditor, selected.ids);
  useSelectedText({ plan, editor, isShown: document === "plan" && draft.draft !== null });
  usePlaygroundKeys({
    store,
    editor: planEditor,
    selected,
    planIds: plan.read.ids,
    openText,
    addCall: () => planEditor.canEdit && showPalette(true),
    connect: () => connectFrom(call ?? ""),
  });

  return (
    <StudioContext value={store}>
      <main
        id="main"
        tabIndex={-1}
        className="grid min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_auto_minmax(0,1fr)] outline-none"
      >
        <h1 className="sr-only">{t("title")}</h1>
        <OfflineBanner />
        <PlaygroundBar draft={draft} plan={plan} side={side} onSide={setSide} onOpen={startOver} />
        <PlaygroundPanes
          side={side}
          text={
            <TextPane
              draft={draft}
              plan={plan}
              document={document}
              onDocument={setDocument}
              editor={editor}
              onShow={() => setSide("text")}
              onHistory={setHistory}
            />
          }
          graph={
            <PlanPane
              opened={draft.opened}
              isReady={draft.draft !== null}
              isBroken={plan.documents.values.plan === null}
              known={plan.known}
              editor={planEditor}
              palette={{ shown: isAdding, show: showPalette }}
              selected={selected}
              clipboard={clipboard}
              onDraw={draw}
              onConnect={connectFrom}
              onExample={(next) => {
                draft.open(next);
                startOver();
              }}
            />
          }
          simulation={<SimulationPane plan={plan} />}
          form={
            tab === "call" ? (
              <CallForm plan={plan} editor={planEditor} onConnect={connectFrom} onCopy={clipboard.copy} />
            ) : null
          }
        />
        <p role="status" className="sr-only">
          {planEditor.said}
        </p>
      </main>
      {edge && (
        <ConnectDialog
          key={`${edge.from} ${edge.to}`}
          {...edge}
          plan={plan}
          onClose={() => setEdge(null)}
          onDraw={(drawn) => {
            showPlan();
            planEditor.connect(drawn);
          }}
        />
      )}
      <ShortcutFooter page="plans" />
    </StudioContext>
  );
}

interface Keys {
  store: StoreApi<StudioState>;
  editor: PlanEditor;
  selected: SelectedCalls;
  planIds: readonly string[];
  openText: () => void;
  addCall: () => void;
  connect: () => void;
}

/** The keyboard shortcuts: edits of the plan, the text, waves, run and save. */
function usePlaygroundKeys({ store, editor, selected, planIds, openText, addCall, connect }: Keys): void {
  const step = (event: KeyboardEvent, by: 1 | -1) => {
    if (event.target instanceof Element && event.target.closest("button, a, summary")) return false;
    store.getState().step("step", by);
  };
  /** Acts on the selected calls, if there are any and the text can be edited. */
  const onCalls = (act: (ids: readonly string[]) => void) => () => {
    if (selected.ids.length === 0 || !editor.canEdit) return false;
    act(selected.ids);
  };
  useShortcuts({
    search: addCall,
    // Enter selects a call, and on the selected one goes to its form.
    open({ target }) {
      const isSelected = target instanceof Element && target.matches("[data-node][aria-pressed=true]");
      if (!isSelected || selected.ids.length > 1) return false;
      focusForm();
    },
    selectAll: () => {
      if (planIds.length === 0) return false;
      selected.only([...new Set(planIds)]);
    },
    close: () => {
      if (selected.ids.length < 2) return false;
      selected.only(selected.ids.slice(0, 1));
    },
    undo: editor.undo,
    redo: editor.redo,
    duplicate: onCalls(editor.duplicate),
    remove: onCalls(editor.remove),
    edit: openText,
    drawEdge: connect,
    run: { about: RUN_ID, act: () => press(RUN_ID) },
    save: { about: SAVE_ID, act: () => press(SAVE_ID) },
    forward: (event) => step(event, 1),
    backward: (event) => step(event, -1),
    play: () => {
      const { playing, play, pause } = store.getState();
      if (playing) pause();
      else play();
    },
  });
}

function focusForm(): void {
  document.querySelector<HTMLElement>(`#${FORM_ID} :is(input, select, textarea)`)?.focus();
}

function press(id: string): void {
  document.getElementById(id)?.click();
}

interface SelectedText {
  plan: OpenPlan;
  editor: RefObject<EditorHandle | null>;
  /** The plan's text is shown. */
  isShown: boolean;
}

/**
 * Selects the text of the call that is selected in the graph, unless the editor has the focus: then the cursor selects
 * the call, and a selection would be overwritten by typing.
 */
function useSelectedText({ plan, editor, isShown }: SelectedText): void {
  const [{ call }] = useSelection();
  const show = useEffectEvent((id: string) => {
    const node = entriesOf(plan.documents.json.plan)[plan.read.ids.indexOf(id)];
    if (node && !editor.current?.hasFocus()) editor.current?.select(node, false);
  });
  // The outside system is the editor.
  useEffect(() => {
    if (call !== null && isShown) show(call);
  }, [call, isShown]);
}
