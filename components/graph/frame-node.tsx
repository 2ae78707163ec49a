"use client";

import type { NodeProps } from "@xyflow/react";
import { useTranslations } from "next-intl";
import { memo } from "react";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { STATUS } from "@/components/ui/status.ts";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import { CallButton } from "./call-node.tsx";
import { callOfNode } from "./find-in-session.ts";
import type { CallFlowNode } from "./flow-elements.ts";
import { headOf } from "./geometry.ts";
import { useGraphActions } from "./graph-actions.ts";
import { NodeOutputs } from "./node-outputs.tsx";
import { NodePills } from "./node-pills.tsx";
import { NodeTags } from "./node-tags.tsx";
import type { GraphNode } from "./plan-level.ts";
import { useNodeCall } from "./use-node-call.ts";

const NOTHING: readonly number[] = [];

/** A delegate that is opened in place: a frame round the calls of its own run. */
export const FrameNode = memo(function FrameNode({ data }: NodeProps<CallFlowNode>) {
  const { placed, lit, selected, found, tabStop } = data;
  const { node, box, order } = placed;
  const call = useNodeCall(node);
  const status = call?.status ?? "planned";
  return (
    <div
      className="pg-node pg-framed"
      data-status={STATUS[status].token}
      data-lit={lit !== null || undefined}
      data-selected={selected || undefined}
      data-found={found || undefined}
    >
      <NodePills box={box} lit={lit?.reads ?? NOTHING} reachable={selected} />
      {order !== null && <span className="pg-order">{order}</span>}
      <div className="pg-card pg-frame" style={{ top: box.top }}>
        <div className="pg-head" style={{ height: headOf(box.outputs.length) }}>
          <CallButton node={node} call={call} selected={selected} tabStop={tabStop} />
          <StatusIcon status={status} size={14} className="pg-icon" />
          <b title={node.call.tool}>{node.call.tool}</b>
          <Progress node={node} />
          <CloseButton node={node} />
        </div>
        <NodeOutputs box={box} call={call} lit={lit?.writes ?? NOTHING} reachable={selected} />
        <NodeTags node={node} lit={lit} />
      </div>
    </div>
  );
});

/** How far the delegate is: its calls that ended, of those that are known. */
function Progress({ node }: { node: GraphNode }) {
  const t = useTranslations("graph");
  const total = node.frame?.nodes.length ?? 0;
  const done = useStudio(
    ({ session }) => node.frame?.nodes.filter((child) => hasEnded(callOfNode(session, child)?.status)).length ?? 0,
  );
  return <span className="pg-progress">{t("delegateProgress", { done, total })}</span>;
}

function hasEnded(status: string | undefined): boolean {
  return status !== undefined && status !== "planned" && status !== "running" && status !== "parked";
}

function CloseButton({ node }: { node: GraphNode }) {
  const t = useTranslations("graph");
  const { toggleFrame } = useGraphActions();
  return (
    <Button
      variant="ghost"
      square
      className="pg-open"
      aria-label={t("closeDelegate", { name: node.call.tool })}
      onClick={() => toggleFrame(node)}
    >
      <Icon name="minus" size={12} />
    </Button>
  );
}
