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
  /** It is a frame around a delegate's calls. */
  framed?: boolean;
  /** The shown status, if it differs from the call's. */
  status?: ShownCallStatus;
  children: ReactNode;
}

/** The common parts of a call's card and a delegate's frame: inputs and status. */
export function NodeShell({ data, call, framed = false, status, children }: NodeShellProps) {
  const { placed, feeds, lit, selected, marked, found } = data;
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
      data-selected={selected || marked || undefined}
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

/** A call's status, tool and plan problems. */
export function NodeName({ node, call }: { node: GraphNode; call: Call | null }) {
  return (
    <>
      <StatusIcon status={shownStatus(call)} size={14} className="pg-icon" />
      <b title={node.call.tool}>{node.call.tool}</b>
      <NodeProblems problems={useNodeProblems(node)} />
    </>
  );
}

/** A badge for a call that is new or changed in this iteration. */
function NodeMark({ mark }: { mark: IterationMark }) {
  const t = useTranslations("graph.iterations");
  const what = mark.kind === "changed" ? t("fields", { fields: mark.fields.join(", ") }) : undefined;
  return (
    <span className="pg-mark" data-kind={mark.kind} title={what}>
      {t(`kinds.${mark.kind}`)}
    </span>
  );
}
