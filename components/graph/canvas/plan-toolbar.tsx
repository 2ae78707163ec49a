"use client";

import { useReactFlow, useStore } from "@xyflow/react";
import { useTranslations } from "next-intl";
import { type ReactNode, useMemo } from "react";
import { useSelectCall } from "@/components/selection/use-select-call.ts";
import { useSelection } from "@/components/selection/use-selection.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon, type IconName } from "@/components/ui/icon.tsx";
import { type ShownCallStatus, STATUS, STATUS_INK, shownStatus } from "@/components/ui/status.ts";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import { Tooltip } from "@/components/ui/tooltip.tsx";
import { ExportMenu } from "../export/export-menu.tsx";
import { callOfNode } from "../find-in-session.ts";
import type { LaidOut } from "../layout/use-layout.ts";
import type { DrawnPlan } from "../level-reader.ts";
import { type GraphNode, shownCalls } from "../plan-level.ts";
import { FindCall } from "./find-call.tsx";
import { moveDuration } from "./use-fit-view.ts";

/** The order of status counts. */
const ORDER = [
  "succeeded",
  "running",
  "parked",
  "approved",
  "refused",
  "failed",
  "blocked",
  "denied",
  "handled",
  "skipped",
  "superseded",
  "cancelled",
  "planned",
] as const satisfies ShownCallStatus[];

interface PlanToolbarProps {
  /** Available before the layout. */
  plan: DrawnPlan;
  laidOut: LaidOut | undefined;
  /** The plan is shown as a table. */
  table: { shown: boolean; toggle(): void };
  overview: { shown: boolean; toggle(): void };
  /** The switch of inferred edges. */
  inferred: { any: boolean; shown: boolean; toggle(): void } | undefined;
  onFit: () => void;
  onFound: (ids: ReadonlySet<string>) => void;
  children?: ReactNode;
}

/** The number of calls by status, and the controls of the graph. */
export function PlanToolbar({ plan, laidOut, table, overview, inferred, onFit, onFound, children }: PlanToolbarProps) {
  const t = useTranslations("graph");
  const { zoomIn, zoomOut } = useReactFlow();
  const nodes = useMemo(() => shownCalls(plan.level), [plan]);
  return (
    <div className="pg-toolbar">
      <h2>{t("title")}</h2>
      <span className="pg-count">{t("calls", { count: nodes.length })}</span>
      <Counts nodes={nodes} />
      <span className="grow" />
      {!table.shown && (
        <>
          <FindCall nodes={laidOut?.layout.nodes ?? []} onFound={onFound} />
          <Tool icon="minus" label={t("zoomOut")} onClick={() => zoomOut({ duration: moveDuration() })} />
          <Zoom />
          <Tool icon="plus" label={t("zoomIn")} onClick={() => zoomIn({ duration: moveDuration() })} />
          <Tool icon="fit" label={t("fit")} onClick={onFit} />
          <Tool icon="delegate" label={t("overview")} pressed={overview.shown} onClick={overview.toggle} />
        </>
      )}
      {inferred?.any && (
        <Tool icon="inferred" label={t("inferred.switch")} pressed={inferred.shown} onClick={inferred.toggle} />
      )}
      <Tool icon="table" label={t("asTable")} pressed={table.shown} onClick={table.toggle} />
      <ExportMenu laidOut={laidOut} />
      {children}
    </div>
  );
}

interface ToolProps {
  icon: IconName;
  label: string;
  pressed?: boolean;
  onClick: () => void;
}

/** An icon button of a toolbar. */
export function Tool({ icon, label, pressed, onClick }: ToolProps) {
  return (
    <Tooltip text={label}>
      <Button variant="ghost" square pressed={pressed} aria-label={label} onClick={onClick}>
        <Icon name={icon} />
      </Button>
    </Tooltip>
  );
}

function Zoom() {
  const t = useTranslations("graph");
  const percent = useStore((state) => Math.round(state.transform[2] * 100));
  return <span className="pg-zoom">{t("percent", { value: percent })}</span>;
}

function Counts({ nodes }: { nodes: readonly GraphNode[] }) {
  const session = useStudio((state) => state.session);
  const [{ call }] = useSelection();
  const selectCall = useSelectCall();
  const calls = useMemo(() => nodes.map((node) => callOfNode(session, node)), [nodes, session]);
  const statuses = useMemo(() => calls.map(shownStatus), [calls]);
  const goTo = (status: ShownCallStatus) => {
    const found = calls.filter((one, index) => one !== null && statuses[index] === status);
    const next = found[(found.findIndex((one) => one?.id === call) + 1) % found.length];
    if (next) selectCall(next);
  };
  return <StatusCounts statuses={statuses} onPick={goTo} />;
}

interface StatusCountsProps {
  statuses: readonly ShownCallStatus[];
  /** Goes to the next call with a status. */
  onPick?: (status: ShownCallStatus) => void;
}

/** How many calls have each status. */
export function StatusCounts({ statuses, onPick }: StatusCountsProps) {
  const t = useTranslations("events.call_status");
  const tGraph = useTranslations("graph");
  const counts = useMemo(() => {
    const found = new Map<ShownCallStatus, number>();
    for (const status of statuses) found.set(status, (found.get(status) ?? 0) + 1);
    return found;
  }, [statuses]);
  return (
    <ul className="pg-counts">
      {ORDER.filter((status) => counts.has(status)).map((status) => (
        <li key={status} className={STATUS_INK[STATUS[status].token]} title={onPick ? undefined : t(status)}>
          {onPick && status !== "planned" ? (
            <Tooltip text={tGraph("nextWithStatus", { status: t(status) })}>
              <button type="button" onClick={() => onPick(status)}>
                <StatusIcon status={status} size={14} label={t(status)} />
                {counts.get(status)}
              </button>
            </Tooltip>
          ) : (
            <>
              <StatusIcon status={status} size={14} label={t(status)} />
              {counts.get(status)}
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
