"use client";

import { useTranslations } from "next-intl";
import { type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import type { StoreApi } from "zustand/vanilla";
import { ShortcutFooter } from "@/components/keys/shortcut-footer.tsx";
import { useShortcuts } from "@/components/keys/use-shortcuts.ts";
import { OfflineBanner } from "@/components/list/offline-banner.tsx";
import { useSelection } from "@/components/selection/use-selection.ts";
import type { StudioState } from "@/components/studio/studio-state.ts";
import { StudioContext } from "@/components/studio/use-studio.ts";
import { entriesOf } from "@/lib/plan/edit/json-text.ts";
import type { DocumentName } from "./draft/documents.ts";
import { useDraft } from "./draft/use-draft.ts";
import type { EditorHandle } from "./editor/code-editor.tsx";
import { ConnectDialog } from "./editor/connect-dialog.tsx";
import { TextPane } from "./editor/text-pane.tsx";
import { RUN_ID, SAVE_ID } from "./ids.ts";
import { PlanPane } from "./plan-pane.tsx";
import { createPlanStore } from "./plan-store.ts";
import { PlaygroundBar } from "./playground-bar.tsx";
import { PlaygroundPanes, type Side } from "./playground-panes.tsx";
import { SimulationPane } from "./run/simulation-pane.tsx";
import { type OpenPlan, usePlan } from "./use-plan.ts";

/** The playground (C9): the plan's text, its graph, and its simulation. */
export function Playground() {
  const t = useTranslations("playground");
  const draft = useDraft();
  const plan = usePlan(draft.draft, draft.opened);
  const [{ store, show, stop }] = useState(createPlanStore);
  const [document, setDocument] = useState<DocumentName>("plan");
  const [side, setSide] = useState<Side>("text");
  const [edge, setEdge] = useState<{ from: string; to: string } | null>(null);
  const editor = useRef<EditorHandle>(null);

  // The outside system is the store that the studio's components read.
  useEffect(() => show(plan.frames), [show, plan.frames]);
  useEffect(() => stop, [stop]);

  const actions = useMemo(
    () => ({
      drawEdge: (from: string, to: string) => setEdge({ from, to }),
      openText() {
        setSide("text");
        editor.current?.focus();
      },
    }),
    [],
  );
  const [, select] = useSelection();
  const showPlan = () => setDocument("plan");
  /** The selection belongs to the previous plan. */
  const startOver = () => {
    showPlan();
    select({ call: null, path: null });
  };
  useSelectedCall({ plan, editor, isShown: document === "plan" && draft.draft !== null });
  usePlaygroundKeys({ store, openText: actions.openText, connect: () => setEdge({ from: "", to: "" }) });

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
            />
          }
          graph={
            <PlanPane
              opened={draft.opened}
              isReady={draft.draft !== null}
              isBroken={plan.documents.values.plan === null}
              onDraw={actions.drawEdge}
              onExample={(next) => {
                draft.open(next);
                startOver();
              }}
            />
          }
          simulation={<SimulationPane plan={plan} />}
        />
      </main>
      {edge && (
        <ConnectDialog
          key={`${edge.from} ${edge.to}`}
          {...edge}
          plan={plan}
          onClose={() => setEdge(null)}
          onDraw={(written) => {
            showPlan();
            editor.current?.change(written.changes);
          }}
        />
      )}
      <ShortcutFooter page="plans" />
    </StudioContext>
  );
}

interface Keys {
  store: StoreApi<StudioState>;
  openText: () => void;
  connect: () => void;
}

/** The keyboard shortcuts: edit, waves, draw, run and save. */
function usePlaygroundKeys({ store, openText, connect }: Keys): void {
  const step = (event: KeyboardEvent, by: 1 | -1) => {
    if (event.target instanceof Element && event.target.closest("button, a, summary")) return false;
    store.getState().step("step", by);
  };
  useShortcuts({
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

function press(id: string): void {
  document.getElementById(id)?.click();
}

interface SelectedCall {
  plan: OpenPlan;
  editor: RefObject<EditorHandle | null>;
  /** The plan's text is shown. */
  isShown: boolean;
}

/**
 * Selects the text of the call that is selected in the graph, unless the editor has the focus: then the cursor selects
 * the call, and a selection would be overwritten by typing.
 */
function useSelectedCall({ plan, editor, isShown }: SelectedCall): void {
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
