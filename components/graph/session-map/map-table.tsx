"use client";

import "../table/plan-table.css";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useTranslations } from "next-intl";
import { useMemo, useRef } from "react";
import { STATUS, STATUS_INK } from "@/components/ui/status.ts";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { MapCall, MapRun, SessionMap } from "@/lib/session/map/session-map.ts";
import { statusAt } from "./at-step.ts";
import { keyOf } from "./bands.ts";
import { type Links, readersOf } from "./links.ts";
import { useMapActions } from "./map-actions.ts";

const LINE = 20;
const PADDING = 8;
const OVERSCAN = 12;
/** Values of one call; more are counted. */
const MOST = 6;
const COLUMNS = ["call", "status", "steps", "from", "to"] as const;

type Row = { kind: "run"; run: MapRun; number: number; depth: number } | { kind: "call"; call: MapCall; depth: number };

interface MapTableProps {
  map: SessionMap;
  links: Links;
  at: number;
  selected: string | null;
}

/** The map as a table: runs with their calls, where values came from and who used them (C4). */
export function MapTable({ map, links, at, selected }: MapTableProps) {
  const t = useTranslations("graph.map.table");
  const scroller = useRef<HTMLElement>(null);
  const rows = useMemo(() => rowsOf(map), [map]);
  const readers = useMemo(() => readersOf(links), [links]);
  const calls = useMemo(() => new Map(map.calls.map((call) => [keyOf(call), call])), [map.calls]);
  const heightOf = (row: Row | undefined) => {
    if (row?.kind !== "call") return LINE + PADDING;
    const key = keyOf(row.call);
    const lines = Math.max(
      1,
      Math.min(MOST + 1, links.get(key)?.length ?? 0),
      Math.min(MOST + 1, readers.get(key)?.length ?? 0),
    );
    return lines * LINE + PADDING;
  };
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(rows[index]),
    overscan: OVERSCAN,
  });
  const items = virtualizer.getVirtualItems();
  const end = items.at(-1)?.end ?? 0;
  return (
    <section ref={scroller} className="pg-table sm-table" aria-label={t("label")} tabIndex={0}>
      <table aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {COLUMNS.map((column) => (
              <th key={column} scope="col">
                {t(column)}
              </th>
            ))}
          </tr>
        </thead>
        <Gap height={items[0]?.start ?? 0} />
        <tbody>
          {items.map(({ key, index, size }) => {
            const row = rows[index];
            if (!row) return null;
            return row.kind === "run" ? (
              <RunRow key={key} {...row} index={index} height={size} at={at} />
            ) : (
              <CallRow
                key={key}
                {...row}
                {...{ index, height: size, at, calls }}
                isSelected={keyOf(row.call) === selected}
                sources={links.get(keyOf(row.call)) ?? []}
                readers={readers.get(keyOf(row.call)) ?? []}
              />
            );
          })}
        </tbody>
        <Gap height={virtualizer.getTotalSize() - end} />
      </table>
    </section>
  );
}

/** Runs with their calls, each delegate's run after what began before it. */
function rowsOf({ runs, calls, runs_before }: SessionMap): Row[] {
  const ids = new Set(runs.map(({ id }) => id));
  const callsOf = Map.groupBy(calls, ({ run_id }) => run_id);
  const childrenOf = Map.groupBy(runs, ({ parent }) => (parent && ids.has(parent.run_id) ? parent.run_id : null));
  let number = runs_before;
  const under = (run: MapRun, depth: number): Row[] => {
    if (depth === 0) number += 1;
    const parts = [
      ...(callsOf.get(run.id) ?? []).map((call) => ({
        seq: call.seq,
        rows: [{ kind: "call", call, depth: depth + 1 } as const],
      })),
      ...(childrenOf.get(run.id) ?? []).map((child) => ({ seq: child.started_seq, rows: under(child, depth + 1) })),
    ];
    return [
      { kind: "run", run, number, depth },
      ...parts.sort((a, b) => a.seq - b.seq).flatMap((part): Row[] => part.rows),
    ];
  };
  return (childrenOf.get(null) ?? []).flatMap((run) => under(run, 0));
}

/** Rows outside of the pane. */
function Gap({ height }: { height: number }) {
  if (height === 0) return null;
  return (
    <tbody aria-hidden="true">
      <tr style={{ height }} />
    </tbody>
  );
}

interface RunRowProps {
  run: MapRun;
  number: number;
  depth: number;
  index: number;
  height: number;
  at: number;
}

function RunRow({ run, number, depth, index, height, at }: RunRowProps) {
  const t = useTranslations();
  const { selectRun } = useMapActions();
  const name =
    depth > 0
      ? `${run.delegate ?? run.agent_id ?? ""} · ${t("graph.map.delegateRun")}`
      : run.id === ""
        ? t("graph.map.outside")
        : t("studio.run.number", { number });
  return (
    <tr
      aria-rowindex={index + 2}
      className="sm-table-run"
      style={{ height }}
      data-later={run.started_seq > at || undefined}
    >
      <th scope="row" style={{ paddingInlineStart: 12 + depth * 18 }}>
        <button type="button" onClick={() => selectRun(run)}>
          {name}
        </button>
      </th>
      <td>
        <span className={`pg-table-status ${STATUS_INK[STATUS[run.status].token]}`}>
          <StatusIcon status={run.status} size={14} />
          {t(`events.run_status.${run.status}`)}
        </span>
      </td>
      <td className="tabular-nums">
        {run.started_seq}–{run.ended_seq ?? ""}
      </td>
      <td colSpan={2} title={run.words?.text}>
        {run.words && <span className="sm-table-words">{t("timeline.quote", { text: run.words.text })} </span>}
        <span className="sm-table-error">
          {[run.error, ...run.alerts.map(({ seq, text }) => t("graph.map.alert", { step: seq, text }))]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </td>
    </tr>
  );
}

interface CallRowProps {
  call: MapCall;
  depth: number;
  index: number;
  height: number;
  at: number;
  calls: ReadonlyMap<string, MapCall>;
  isSelected: boolean;
  sources: NonNullable<ReturnType<Links["get"]>>;
  readers: readonly string[];
}

function CallRow({ call, depth, index, height, at, calls, isSelected, sources, readers }: CallRowProps) {
  const t = useTranslations("graph.map");
  const words = useTranslations("events.call_status");
  const { selectCall, follow } = useMapActions();
  const status = statusAt(call, at);
  return (
    <tr
      aria-rowindex={index + 2}
      data-selected={isSelected || undefined}
      data-later={call.seq > at || undefined}
      style={{ height }}
    >
      <th scope="row" style={{ paddingInlineStart: 12 + depth * 18 }}>
        <button type="button" aria-pressed={isSelected} title={call.tool} onClick={() => selectCall(call)}>
          {call.tool}
          {call.instance !== "" && <span className="pg-table-id"> {call.instance}</span>}
        </button>
      </th>
      <td title={call.error ?? undefined}>
        <span className={`pg-table-status ${STATUS_INK[STATUS[status].token]}`}>
          <StatusIcon status={status} size={14} />
          {words(status)}
        </span>
      </td>
      <td className="tabular-nums">
        {call.seq}–{call.ended_seq ?? ""}
      </td>
      <td>
        <ul>
          {sources.slice(0, MOST).map((source, place) => {
            const from = calls.get(source.from ?? "");
            const origin = from ? from.tool : t("table.message", { step: source.seq ?? 0 });
            return (
              // They keep their order.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <li key={place} title={`${origin}: ${source.value} → ${source.to}`}>
                <button
                  type="button"
                  aria-label={`${origin}: ${source.value}`}
                  onClick={() => (from ? selectCall(from) : follow(source))}
                >
                  {source.value}
                </button>
                <span className="pg-table-others"> {origin}</span>
              </li>
            );
          })}
          {sources.length > MOST && <li className="pg-table-others">+{sources.length - MOST}</li>}
        </ul>
      </td>
      <td>
        <ul>
          {readers.slice(0, MOST).map((key) => {
            const reader = calls.get(key);
            return (
              reader && (
                <li key={key}>
                  <button type="button" onClick={() => selectCall(reader)}>
                    {reader.tool} {reader.seq}
                  </button>
                </li>
              )
            );
          })}
          {readers.length > MOST && <li className="pg-table-others">+{readers.length - MOST}</li>}
        </ul>
      </td>
    </tr>
  );
}
