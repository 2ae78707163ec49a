"use client";

import type { NodeProps } from "@xyflow/react";
import { useTranslations } from "next-intl";
import { memo } from "react";
import { useDuration } from "@/components/format/use-duration.ts";
import { CallTime } from "@/components/studio/call-time.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { shownStatus } from "@/components/ui/status.ts";
import { tookOf } from "@/lib/session/runs/took-of.ts";
import type { Call } from "@/lib/session/session.ts";
import type { CallFlowNode } from "../canvas/flow-elements.ts";
import { useGraphActions } from "../graph-actions.ts";
import type { GraphNode } from "../plan-level.ts";
import { CardLines } from "./card-lines.tsx";
import { NodeOutputs } from "./node-outputs.tsx";
import { NOTHING, NodeName, NodeShell } from "./node-shell.tsx";
import { NodeTags } from "./node-tags.tsx";
import { useNodeCall } from "./use-node-call.ts";

/** A call's card: tool, parameters, status, inputs and outputs. */
export const CallNode = memo(function CallNode({ data }: NodeProps<CallFlowNode>) {
  const { placed, lit, selected, marked, tabStop } = data;
  const { node, box } = placed;
  const call = useNodeCall(node);
  return (
    <NodeShell data={data} call={call}>
      <CallButton node={node} call={call} selected={selected || marked} tabStop={tabStop} />
      <div className="pg-title">
        <NodeName node={node} call={call} />
        {node.frame ? <OpenButton node={node} /> : <DelegateMark name={node.call.delegate} />}
        {node.heads !== null && <CloseChain node={node} />}
        {box.outputs.length === 0 && <CallTime call={call} className="pg-time" ticks />}
      </div>
      <CardLines node={node} call={call} />
      <NodeOutputs
        node={node}
        box={box}
        lit={lit?.writes ?? NOTHING}
        reachable={selected}
        beside={<CallTime call={call} className="pg-time" ticks />}
      />
      <NodeTags node={node} lit={lit} />
    </NodeShell>
  );
});

interface CallButtonProps {
  node: GraphNode;
  call: Call | null;
  selected: boolean;
  tabStop: boolean;
}

/** A button that covers the card, below the buttons of its paths. */
export function CallButton({ node, call, selected, tabStop }: CallButtonProps) {
  const t = useTranslations("events.call_status");
  const duration = useDuration();
  const { selectCall } = useGraphActions();
  const took = call && tookOf(call);
  const name = [node.call.tool, t(shownStatus(call)), took === null ? null : duration(took)].filter(Boolean).join(", ");
  return (
    <button
      type="button"
      className="pg-hit"
      data-node={node.id}
      tabIndex={tabStop ? 0 : -1}
      aria-label={name}
      aria-pressed={selected}
      onClick={({ shiftKey }) => selectCall(node, shiftKey)}
    />
  );
}

/** A delegate without calls to expand: it has made none, or not yet. */
function DelegateMark({ name }: { name: string | null }) {
  const t = useTranslations("graph");
  if (name === null) return null;
  return (
    <span className="pg-delegate" role="img" aria-label={t("delegate", { name })} title={t("delegate", { name })}>
      <Icon name="delegate" size={14} />
    </span>
  );
}

function CloseChain({ node }: { node: GraphNode }) {
  const t = useTranslations("graph.chain");
  const { toggleChain } = useGraphActions();
  return (
    <Button variant="ghost" square className="pg-open" aria-label={t("close")} onClick={() => toggleChain(node)}>
      <Icon name="minus" size={12} />
    </Button>
  );
}

function OpenButton({ node }: { node: GraphNode }) {
  const t = useTranslations("graph");
  const { toggleFrame } = useGraphActions();
  return (
    <Button
      variant="ghost"
      square
      className="pg-open"
      aria-label={t("openDelegate", { name: node.call.tool })}
      onClick={() => toggleFrame(node)}
    >
      <Icon name="delegate" size={14} />
    </Button>
  );
}
