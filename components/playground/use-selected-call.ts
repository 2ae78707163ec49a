"use client";

import { type RefObject, useEffect, useEffectEvent } from "react";
import { useSelection } from "@/components/studio/use-selection.ts";
import type { EditorHandle } from "./code-editor.tsx";
import { entriesOf } from "./json-place.ts";
import type { OpenPlan } from "./use-plan.ts";

interface SelectedCall {
  plan: OpenPlan;
  editor: RefObject<EditorHandle | null>;
  /** The plan's text is the one that is shown. */
  isShown: boolean;
}

/** Selects the text of the call that is selected in the graph, unless the cursor stands in it. */
export function useSelectedCall({ plan, editor, isShown }: SelectedCall): void {
  const [{ call }] = useSelection();
  const show = useEffectEvent((id: string) => {
    const node = entriesOf(plan.documents.json.plan)[plan.read.ids.indexOf(id)];
    const caret = editor.current?.caret() ?? 0;
    if (!node || (caret >= node.from && caret <= node.to)) return;
    editor.current?.select(node, false);
  });
  // The outside system is the editor.
  useEffect(() => {
    if (call !== null && isShown) show(call);
  }, [call, isShown]);
}
