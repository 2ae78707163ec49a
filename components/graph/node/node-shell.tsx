"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useContext } from "react";
import { worstOf } from "@/components/selection/plan-problems.ts";
import { type ShownCallStatus, STATUS, shownStatus } from "@/components/ui/status.ts";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { Call } from "@/lib/session/session.ts";
import type { CallFlowNode } from "../canvas/flow-elements.ts";
import { EdgeHandles } from "../edge/edge-handles.tsx";
import type { GraphNode } from "../plan-level.ts";
import { type IterationMark, IterationMarksContext } from "./iteration-marks.ts";
import { NodeInferredInputs } from "./node-inferred-inputs.tsx";
import { NodePills } from "./node-pills.tsx";
import { NodeProblems, useNodeProblems } from "./node-problems.tsx";

/** Nothing is highlighted. */
export const NOTHING: readonly number[] = [];

interface NodeShellProps {
  data: CallFlowNode["data"];
  call: Call | null;
  /** It is a frame round the calls of a delegate. */
  framed?: boolean;
  /** How it is shown, where that is not its call's own status. */
  status?: ShownCallStatus;
  children: ReactNode;
}

/** What a call's card and a delegate's frame share: the paths that are read above, and the marks of its state. */
export function NodeShell({ data, call, framed = false, status, children }: NodeShellProps) {
  const { placed, feeds, lit, selected, found } = data;
  const { node, box, order } = placed;
  const mark = useContext(IterationMarksContext).get(node.id);
  const shown = status ?? shownStatus(call);
  return (
    <div
      className={framed ? "pg-node pg-framed" : "pg-node"}
      data-status={STATUS[shown].token}
      data-unanswered={shown === "approved" || shown === "refused" || undefined}
      data-fault={worstOf(useNodeProblems(node)) ?? undefined}
      data-lit={lit !== null || undefined}
      data-selected={selected || undefined}
      data-found={found || undefined}
      data-change={mark?.kind}
    >
      <NodePills box={box} feeds={feeds} lit={lit?.reads ?? NOTHING} reachable={selected} />
      {node.brought.length > 0 && <NodeInferredInputs node={node} box={box} reachable={selected} />}
      {order !== null && <span className="pg-order">{order}</span>}
      {mark && <NodeMark mark={mark} />}
      <EdgeHandles box={box} />
      <div className={framed ? "pg-card pg-frame" : "pg-card"} style={{ top: box.top }}>
        {children}
      </div>
    </div>
  );
}

/** A call's status, its tool, and what validation found of it. */
export function NodeName({ node, call }: { node: GraphNode; call: Call | null }) {
  return (
    <>
      <StatusIcon status={shownStatus(call)} size={14} className="pg-icon" />
      <b title={node.call.tool}>{node.call.tool}</b>
      <NodeProblems problems={useNodeProblems(node)} />
    </>
  );
}

/** That a call is new in this iteration's plan, or what of it has changed. */
function NodeMark({ mark }: { mark: IterationMark }) {
  const t = useTranslations("graph.iterations");
  const what = mark.kind === "changed" ? t("fields", { fields: mark.fields.join(", ") }) : undefined;
  return (
    <span className="pg-mark" data-kind={mark.kind} title={what}>
      {t(`kinds.${mark.kind}`)}
    </span>
  );
}
