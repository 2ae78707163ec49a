"use client";

import type { NodeProps } from "@xyflow/react";
import { useTranslations } from "next-intl";
import { memo } from "react";
import { useDuration } from "@/components/studio/use-duration.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { STATUS } from "@/components/ui/status.ts";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { Call } from "@/lib/session/session.ts";
import { CallTime, tookOf } from "./call-time.tsx";
import { CardLines } from "./card-lines.tsx";
import type { CallFlowNode } from "./flow-elements.ts";
import { useGraphActions } from "./graph-actions.ts";
import { NodeOutputs } from "./node-outputs.tsx";
import { NodePills } from "./node-pills.tsx";
import { NodeTags } from "./node-tags.tsx";
import type { GraphNode } from "./plan-level.ts";
import { useNodeCall } from "./use-node-call.ts";

const NOTHING: readonly number[] = [];

/** A call as a card: who, with what, what became of it, and the paths that it reads and writes. */
export const CallNode = memo(function CallNode({ data }: NodeProps<CallFlowNode>) {
  const { placed, lit, selected, found, tabStop } = data;
  const { node, box, order } = placed;
  const call = useNodeCall(node);
  const status = call?.status ?? "planned";
  return (
    <div
      className="pg-node"
      data-status={STATUS[status].token}
      data-lit={lit !== null || undefined}
      data-selected={selected || undefined}
      data-found={found || undefined}
    >
      <NodePills box={box} lit={lit?.reads ?? NOTHING} reachable={selected} />
      {order !== null && <span className="pg-order">{order}</span>}
      <div className="pg-card" style={{ top: box.top }}>
        <CallButton node={node} call={call} selected={selected} tabStop={tabStop} />
        <div className="pg-title">
          <StatusIcon status={status} size={14} className="pg-icon" />
          <b title={node.call.tool}>{node.call.tool}</b>
          {node.frame && <OpenButton node={node} />}
          {box.outputs.length === 0 && <CallTime call={call} />}
        </div>
        <CardLines node={node} call={call} />
        <NodeOutputs
          box={box}
          call={call}
          lit={lit?.writes ?? NOTHING}
          reachable={selected}
          beside={<CallTime call={call} />}
        />
        <NodeTags node={node} lit={lit} />
      </div>
    </div>
  );
});

interface CallButtonProps {
  node: GraphNode;
  call: Call | null;
  selected: boolean;
  tabStop: boolean;
}

/** The whole card as one button, under the buttons of its paths. */
export function CallButton({ node, call, selected, tabStop }: CallButtonProps) {
  const t = useTranslations("events.call_status");
  const duration = useDuration();
  const { selectCall } = useGraphActions();
  const took = call && tookOf(call);
  const name = [node.call.tool, t(call?.status ?? "planned"), took === null ? null : duration(took)]
    .filter(Boolean)
    .join(", ");
  return (
    <button
      type="button"
      className="pg-hit"
      data-node={node.id}
      tabIndex={tabStop ? 0 : -1}
      aria-label={name}
      aria-pressed={selected}
      onClick={() => selectCall(node)}
    />
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
