"use client";

import "../marks.css";
import type { NodeProps } from "@xyflow/react";
import { useTranslations } from "next-intl";
import { memo } from "react";
import { useStudio } from "@/components/studio/use-studio.ts";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { CallFlowNode } from "../canvas/flow-elements.ts";
import { callOfNode, statusOfNode } from "../find-in-session.ts";
import { useGraphActions } from "../graph-actions.ts";
import { NodeOutputs } from "./node-outputs.tsx";
import { NodeProblems, useNodeProblems } from "./node-problems.tsx";
import { NOTHING, NodeShell } from "./node-shell.tsx";
import { NodeTags } from "./node-tags.tsx";
import { useNodeCall } from "./use-node-call.ts";

/** A collapsed chain as one card: the number of calls, the progress, and the worst status (C4). */
export const ChainNode = memo(function ChainNode({ data }: NodeProps<CallFlowNode>) {
  const t = useTranslations("graph.chain");
  const tStatus = useTranslations("events.call_status");
  const { placed, lit, selected, tabStop } = data;
  const { node, box } = placed;
  const { toggleChain } = useGraphActions();
  const members = node.chain ?? [];
  const count = members.length;
  const status = useStudio(({ session }) => statusOfNode(session, node));
  const done = useStudio(
    ({ session }) => members.filter((member) => callOfNode(session, member)?.status === "succeeded").length,
  );
  return (
    <NodeShell data={data} call={useNodeCall(node)} status={status}>
      <button
        type="button"
        className="pg-hit"
        data-node={node.id}
        tabIndex={tabStop || selected ? 0 : -1}
        aria-expanded={false}
        aria-label={t("open", { count, status: tStatus(status) })}
        onClick={() => toggleChain(node)}
      />
      <span className="pg-stack" aria-hidden="true" />
      <div className="pg-title">
        <StatusIcon status={status} size={14} className="pg-icon" />
        <b>{t("count", { count })}</b>
        <NodeProblems problems={useNodeProblems(node)} />
      </div>
      <div className="pg-line pg-quiet">
        <span className="pg-cut" title={node.call.tool}>
          {node.call.tool}
        </span>
        <span className="pg-chain-done">{t("done", { done, count })}</span>
      </div>
      <NodeOutputs node={node} box={box} lit={lit?.writes ?? NOTHING} reachable={selected} />
      <NodeTags node={node} lit={lit} />
    </NodeShell>
  );
});
