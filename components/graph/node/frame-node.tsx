"use client";

import type { NodeProps } from "@xyflow/react";
import { useTranslations } from "next-intl";
import { memo } from "react";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import type { CallFlowNode } from "../canvas/flow-elements.ts";
import { callOfNode } from "../find-in-session.ts";
import { useGraphActions } from "../graph-actions.ts";
import { headOf } from "../layout/geometry.ts";
import type { GraphNode } from "../plan-level.ts";
import { CallButton } from "./call-node.tsx";
import { NodeOutputs } from "./node-outputs.tsx";
import { NOTHING, NodeName, NodeShell } from "./node-shell.tsx";
import { NodeTags } from "./node-tags.tsx";
import { useNodeCall } from "./use-node-call.ts";

/** An expanded delegate: a frame around the calls of its run. */
export const FrameNode = memo(function FrameNode({ data }: NodeProps<CallFlowNode>) {
  const { placed, lit, selected, marked, tabStop } = data;
  const { node, box } = placed;
  const call = useNodeCall(node);
  return (
    <NodeShell data={data} call={call} framed>
      <div className="pg-head" style={{ height: headOf(box.outputs.length) }}>
        <CallButton node={node} call={call} selected={selected || marked} tabStop={tabStop} />
        <NodeName node={node} call={call} />
        <Progress node={node} />
        <CloseButton node={node} />
      </div>
      <NodeOutputs node={node} box={box} lit={lit?.writes ?? NOTHING} reachable={selected} />
      <NodeTags node={node} lit={lit} />
    </NodeShell>
  );
});

/** The delegate's progress: ended calls of known calls. */
function Progress({ node }: { node: GraphNode }) {
  const t = useTranslations("graph");
  const calls = (node.frame?.whole ?? node.frame)?.nodes ?? [];
  const done = useStudio(({ session }) => calls.filter((child) => hasEnded(callOfNode(session, child)?.status)).length);
  return <span className="pg-progress">{t("delegateProgress", { done, total: calls.length })}</span>;
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
