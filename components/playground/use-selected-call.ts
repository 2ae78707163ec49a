"use client";

import { type RefObject, useEffect, useEffectEvent } from "react";
import { useSelection } from "@/components/selection/use-selection.ts";
import type { EditorHandle } from "./editor/code-editor.tsx";
import { entriesOf } from "./editor/json-place.ts";
import type { OpenPlan } from "./use-plan.ts";

interface SelectedCall {
  plan: OpenPlan;
  editor: RefObject<EditorHandle | null>;
  /** The plan's text is the one that is shown. */
  isShown: boolean;
}

/**
 * Selects the text of the call that is selected in the graph. Never while one is in the text: there the cursor selects
 * the call, and what is typed next would take the place of what is selected.
 */
export function useSelectedCall({ plan, editor, isShown }: SelectedCall): void {
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
