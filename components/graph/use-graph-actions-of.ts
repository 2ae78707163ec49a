"use client";

import { use, useMemo } from "react";
import { useSelectCall } from "@/components/selection/use-select-call.ts";
import { useSelection } from "@/components/selection/use-selection.ts";
import { useStudioStore } from "@/components/studio/use-studio.ts";
import { keyOf } from "./edge/inferred-inputs.ts";
import { callOfNode } from "./find-in-session.ts";
import type { GraphActions } from "./graph-actions.ts";
import { PlanEditingContext } from "./plan-editing.ts";

/** The actions of nodes, with a stable identity. */
export function useGraphActionsOf(onToggle: (id: string) => void, onMoveFocus: (id: string) => void): GraphActions {
  const store = useStudioStore();
  const selectCall = useSelectCall();
  const [, select] = useSelection();
  const editing = use(PlanEditingContext);
  return useMemo(
    () => ({
      selectCall(node, also) {
        if (editing && also) return editing.selectAlso([node], "toggle");
        editing?.selectOnly(node);
        const call = callOfNode(store.getState().session, node);
        if (call) selectCall(call);
        else store.getState().jump(() => select({ call: node.call.id, tab: "call" }));
      },
      showSource({ source, from }) {
        const { session, seek, jump } = store.getState();
        if (source.kind === "message") return jump(source.seq);
        const call = session.calls.get(keyOf(source.call));
        if (!call) return;
        // A call of this graph is selected; one of an earlier run is shown at the step where it ended.
        const { ended_seq } = call;
        jump(() => {
          if (from === null && ended_seq !== null) seek(ended_seq);
          selectCall(call);
        });
      },
      selectPath: (path) => select({ path, tab: "state" }),
      toggleFrame: (node) => onToggle(node.id),
      toggleChain(node) {
        const id = node.heads ?? node.id;
        onToggle(id);
        onMoveFocus(node.heads ?? node.chain?.[0]?.id ?? id);
      },
    }),
    [store, selectCall, select, editing, onToggle, onMoveFocus],
  );
}
