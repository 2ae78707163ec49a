"use client";

import "./plan-table.css";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useTranslations } from "next-intl";
import { useMemo, useRef } from "react";
import { useDuration } from "@/components/format/use-duration.ts";
import { useProblemText } from "@/components/format/use-problem-text.ts";
import { findCall } from "@/components/selection/select-call.ts";
import { useResolvedSelection } from "@/components/selection/use-resolved-selection.ts";
import { useSelection } from "@/components/selection/use-selection.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { STATUS, STATUS_INK } from "@/components/ui/status.ts";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import { planKey } from "@/lib/session/keys.ts";
import { tookOf } from "@/lib/session/runs/took-of.ts";
import type { Call } from "@/lib/session/session.ts";
import { readablePath, shortEdge } from "../edge/inferred-inputs.ts";
import { statusOfNode } from "../find-in-session.ts";
import { useGraphActions } from "../graph-actions.ts";
import type { DrawnPlan } from "../level-reader.ts";
import { PathText } from "../node/node-pills.tsx";
import { useNodeProblems } from "../node/node-problems.tsx";
import { useEvidence } from "../node/use-evidence.ts";
import { useNodeCall } from "../node/use-node-call.ts";
import { type TablePath, type TableRow, tableRows } from "./table-rows.ts";

const LINE = 20;
const PADDING = 8;
/** Rows rendered above and below the viewport. */
const OVERSCAN = 12;

const COLUMNS = ["call", "status", "took", "reads", "writes"] as const;

/** The plan as a table: calls, edges, statuses and problems (C4). */
export function PlanTable({ plan }: { plan: DrawnPlan }) {
  const t = useTranslations("graph.table");
  const session = useStudio((state) => state.session);
  const looked = useResolvedSelection();
  const [{ call }] = useSelection();
  const selected = useMemo(() => findCall(session, looked, call), [session, looked, call]);
  const scroller = useRef<HTMLElement>(null);
  const rows = useMemo(() => tableRows(plan.level), [plan]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(rows[index]),
    getItemKey: (index) => rows[index]?.node.id ?? index,
    overscan: OVERSCAN,
  });
  const isFaulty = rows.some(
    ({ node }) => (session.plans.get(planKey(node.runId, node.iteration))?.problem_count ?? 0) > 0,
  );
  const items = virtualizer.getVirtualItems();
  const end = items.at(-1)?.end ?? 0;
  return (
    <section ref={scroller} className="pg-table" aria-label={t("label")} tabIndex={0}>
      <table aria-rowcount={rows.length + 1} data-faulty={isFaulty || undefined}>
        <thead>
          <tr aria-rowindex={1}>
            {COLUMNS.map((column) => (
              <th key={column} scope="col">
                {t(column)}
              </th>
            ))}
            {isFaulty && <th scope="col">{t("problems")}</th>}
          </tr>
        </thead>
        <Gap height={items[0]?.start ?? 0} />
        <tbody>
          {items.map(({ key, index, size }) => {
            const row = rows[index];
            if (!row) return null;
            return <Row key={key} row={row} index={index} height={size} selected={selected} isFaulty={isFaulty} />;
          })}
        </tbody>
        <Gap height={virtualizer.getTotalSize() - end} />
      </table>
    </section>
  );
}

/** Each path has its own line, so that a row's height is known before rendering. */
function heightOf(row: TableRow | undefined): number {
  return (
    Math.max(
      1,
      (row?.reads.length ?? 0) + (row?.brought.length ?? 0),
      (row?.writes.length ?? 0) + (row?.used.length ?? 0),
    ) *
      LINE +
    PADDING
  );
}

/** Rows outside the viewport. */
function Gap({ height }: { height: number }) {
  if (height === 0) return null;
  return (
    <tbody aria-hidden="true">
      <tr style={{ height }} />
    </tbody>
  );
}

interface RowProps {
  row: TableRow;
  index: number;
  height: number;
  /** The selected call. */
  selected: Call | null;
  /** There is a column for problems. */
  isFaulty: boolean;
}

function Row({ row: { node, depth, reads, writes, brought, used }, index, height, selected, isFaulty }: RowProps) {
  const t = useTranslations("events.call_status");
  const duration = useDuration();
  const { selectCall } = useGraphActions();
  const call = useNodeCall(node);
  const status = useStudio(({ session }) => statusOfNode(session, node));
  const texts = useNodeProblems(node).map(useProblemText());
  const took = call && tookOf(call);
  const isSelected = call !== null && call === selected;
  return (
    // The heading is the first row.
    <tr aria-rowindex={index + 2} data-selected={isSelected || undefined} style={{ height }}>
      <th scope="row" style={{ paddingInlineStart: 12 + depth * 18 }}>
        <button type="button" aria-pressed={isSelected} title={node.call.tool} onClick={() => selectCall(node)}>
          {node.call.tool}
          {node.call.id !== node.call.tool && <span className="pg-table-id"> {node.call.id}</span>}
        </button>
      </th>
      <td>
        <span className={`pg-table-status ${STATUS_INK[STATUS[status].token]}`}>
          <StatusIcon status={status} size={14} />
          {t(status)}
        </span>
      </td>
      <td className="tabular-nums">{took === null ? "" : duration(took)}</td>
      <td>
        <Paths paths={reads} kind="from" />
        <BroughtValues brought={brought} />
      </td>
      <td>
        <Paths paths={writes} kind="to" />
        <UsedValues used={used} />
      </td>
      {isFaulty && (
        <td className="pg-table-problems" title={texts.join("\n")}>
          {texts.join(" · ")}
        </td>
      )}
    </tr>
  );
}

/** Inferred inputs, each with a link to its source. */
function BroughtValues({ brought }: { brought: TableRow["brought"] }) {
  const { showSource } = useGraphActions();
  const tell = useEvidence();
  if (brought.length === 0) return null;
  return (
    <ul>
      {brought.map((one, index) => {
        const { source, speaker, lines } = tell(one);
        const evidence = lines.map(({ text }) => text).join("; ");
        return (
          // Inferred inputs keep their order.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <li key={index} title={`${source}: ${evidence}`}>
            <button
              type="button"
              className="pg-table-brought"
              aria-label={`${source}: ${evidence}`}
              onClick={() => showSource(one)}
            >
              {shortEdge(one, one.source.kind === "message" ? speaker : undefined)}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** Values that other calls are inferred to have used, each with a link to the call. */
function UsedValues({ used }: { used: TableRow["used"] }) {
  const t = useTranslations("graph.table");
  const { selectCall } = useGraphActions();
  if (used.length === 0) return null;
  return (
    <ul>
      {used.map(({ reader, edges: [first, ...others] }) => {
        const start = first.from.kind === "call" ? readablePath(first.from.path) : "";
        const name = t("usedBy", {
          call: reader.call.tool,
          values: [first, ...others].map(({ value }) => value).join(", "),
        });
        return (
          <li key={reader.id} title={name}>
            <button type="button" className="pg-table-brought" aria-label={name} onClick={() => selectCall(reader)}>
              {`${start} → ${reader.call.tool}${others.length > 0 ? ` +${others.length}` : ""}`.trimStart()}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** Paths, each with its source or target calls. */
function Paths({ paths, kind }: { paths: readonly TablePath[]; kind: "from" | "to" }) {
  const t = useTranslations("graph.table");
  const { selectPath } = useGraphActions();
  if (paths.length === 0) return null;
  return (
    <ul>
      {paths.map(({ path, others }, index) => {
        const tools = others.map(({ call }) => call.tool).join(", ");
        return (
          // A path can be in several groups, whose order never changes.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <li key={index} title={tools === "" ? path : `${path} ${t(kind, { calls: tools })}`}>
            <button type="button" aria-label={path} onClick={() => selectPath(path)}>
              <PathText path={path} />
            </button>
            {tools !== "" && <span className="pg-table-others"> {t(kind, { calls: tools })}</span>}
          </li>
        );
      })}
    </ul>
  );
}
