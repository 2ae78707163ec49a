"use client";

import { useTranslations } from "next-intl";
import { useEffect, useMemo, useRef, useState } from "react";
import { KeysFoot } from "@/components/keys/keys-foot.tsx";
import { OfflineBanner } from "@/components/list/offline-banner.tsx";
import { useSelection } from "@/components/selection/use-selection.ts";
import { StudioContext } from "@/components/studio/use-studio.ts";
import type { DocumentName } from "./draft/documents.ts";
import { useDraft } from "./draft/use-draft.ts";
import type { EditorHandle } from "./editor/code-editor.tsx";
import { ConnectDialog } from "./editor/connect-dialog.tsx";
import { TextPane } from "./editor/text-pane.tsx";
import { PlanPane } from "./plan-pane.tsx";
import { createPlanStore } from "./plan-store.ts";
import { PlaygroundBar } from "./playground-bar.tsx";
import { PlaygroundPanes, type Side } from "./playground-panes.tsx";
import { SimulationPane } from "./run/simulation-pane.tsx";
import { usePlan } from "./use-plan.ts";
import { usePlaygroundKeys } from "./use-playground-keys.ts";
import { useSelectedCall } from "./use-selected-call.ts";

/** A plan as text on the left, as a graph in the middle, and played in the mind on the right (C9). */
export function Playground() {
  const t = useTranslations("playground");
  const draft = useDraft();
  const plan = usePlan(draft.draft, draft.opened);
  const [{ store, show, stop }] = useState(createPlanStore);
  const [document, setDocument] = useState<DocumentName>("plan");
  const [side, setSide] = useState<Side>("text");
  const [edge, setEdge] = useState<{ from: string; to: string } | null>(null);
  const editor = useRef<EditorHandle>(null);

  // The outside system is the store that the studio's parts read.
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
  /** What is selected belongs to the plan that was there. */
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
      <KeysFoot page="plans" />
    </StudioContext>
  );
}
