"use client";

import { useTranslations } from "next-intl";
import { STATUS } from "@/components/ui/status.ts";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { Run } from "@/lib/session/session.ts";
import { ENDS } from "./dialog-graph.ts";
import type { PlacedStage } from "./stage-layout.ts";
import { nodeStatus, type Visit } from "./turn-path.ts";
import { useStageNames } from "./use-stage-names.ts";

interface StageNodeProps {
  placed: PlacedStage;
  run: Run;
  way: readonly Visit[];
  /** The current step, unless it follows. */
  step: number | null;
  selected: boolean;
  onSelect: () => void;
}

/** A node of the main graph: name, id, visits and status. */
export function StageNode({ placed, run, way, step, selected, onSelect }: StageNodeProps) {
  const t = useTranslations("stages");
  const names = useStageNames();
  const { id, x, y, width, height } = placed;
  const status = nodeStatus(run, way, id);
  const orders = way.filter(({ node }) => node === id).map(({ order }) => order);
  const isHere = way.at(-1)?.node === id;
  const isEnd = id === ENDS.start || id === ENDS.end;
  const label = [
    names.node(id),
    orders.length > 0 ? t("places", { places: orders.join(", ") }) : id !== ENDS.start && t(`status.${status}`),
    isHere && t("here"),
  ];
  return (
    <li className="sg-node" data-status={STATUS[status].token} style={{ left: x, top: y, width, height }}>
      <button
        type="button"
        data-node={id}
        data-end={isEnd || undefined}
        aria-label={label.filter(Boolean).join(", ")}
        aria-pressed={selected}
        aria-current={isHere ? "step" : undefined}
        onClick={onSelect}
      >
        <span className="sg-name">
          {!isEnd && <StatusIcon status={status} size={14} />}
          <b>{names.node(id)}</b>
        </span>
        {!isEnd && <span className="sg-id">{id}</span>}
        {orders.length > 0 && <span className="sg-order">{orders.join(" · ")}</span>}
        {isHere && step !== null && <span className="sg-flag">{step}</span>}
      </button>
    </li>
  );
}
