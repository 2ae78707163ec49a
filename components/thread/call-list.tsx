"use client";

import { useTranslations } from "next-intl";
import { memo, useState } from "react";
import { useReasonText } from "@/components/format/use-reason-text.ts";
import { CallTime } from "@/components/studio/call-time.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { shownStatus } from "@/components/ui/status.ts";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import { isRef } from "@/lib/session/json/cite.ts";
import type { Call } from "@/lib/session/session.ts";
import type { CallRow } from "./call-rows.ts";
import { firstValue, type Plain } from "./first-value.ts";

interface CallListProps {
  rows: readonly CallRow[];
  /** The call of the current step. */
  current: Call | null;
  /** The selected call. */
  selected: Call | null;
  onSelect: (call: Call) => void;
}

/** Calls as rows. */
export function CallList({ rows, current, selected, onSelect }: CallListProps) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(NONE);
  const isFolded = (stretch: readonly [CallRow, ...CallRow[]]) =>
    stretch.length >= LONG &&
    !opened.has(stretch[0].key) &&
    !stretch.some(({ call }) => call === current || call === selected);
  return (
    <ul className="my-1 border-l-2 border-line-strong pl-1">
      {stretchesOf(rows).map((stretch) =>
        isFolded(stretch) ? (
          <Stretch key={stretch[0].key} rows={stretch} onOpen={(key) => setOpened(new Set([...opened, key]))} />
        ) : (
          stretch.map((row) => (
            <Row
              key={row.key}
              call={row.call}
              depth={row.depth}
              delegate={row.delegate}
              plannedOnly={row.plannedOnly}
              about={row.about}
              isCurrent={row.call === current}
              isSelected={row.call === selected}
              onSelect={onSelect}
            />
          ))
        ),
      )}
    </ul>
  );
}

const NONE: ReadonlySet<string> = new Set();
/** This many equal calls in a row are shown as one row. */
const LONG = 5;

/** Calls in a row with the same tool, status and depth, without those that need a look. */
function stretchesOf(rows: readonly CallRow[]): [CallRow, ...CallRow[]][] {
  const stretches: [CallRow, ...CallRow[]][] = [];
  for (const row of rows) {
    const open = stretches.at(-1);
    if (open && isSame(open[0], row)) open.push(row);
    else stretches.push([row]);
  }
  return stretches;
}

function isSame(one: CallRow, other: CallRow): boolean {
  const isPlain = shownStatus(one.call) !== "failed" && one.delegate === null && other.delegate === null;
  return (
    isPlain &&
    one.call.tool === other.call.tool &&
    shownStatus(one.call) === shownStatus(other.call) &&
    one.depth === other.depth &&
    one.plannedOnly === other.plannedOnly
  );
}

/** Equal calls in a row, with a button that shows each. */
function Stretch({ rows, onOpen }: { rows: readonly [CallRow, ...CallRow[]]; onOpen: (key: string) => void }) {
  const t = useTranslations();
  const [{ key, call, depth, plannedOnly }] = rows;
  const status = plannedOnly ? "planned" : shownStatus(call);
  return (
    <li style={{ paddingInlineStart: `${Math.min(depth, 4) * 18}px` }}>
      <button
        type="button"
        aria-expanded={false}
        onClick={() => onOpen(key)}
        className="flex h-6 w-full phone:h-11 items-center gap-1.5 rounded-1 px-1.5 text-left whitespace-nowrap hover:bg-hover"
      >
        <StatusIcon status={status} size={14} label={t(`events.call_status.${status}`)} />
        <span className="min-w-0 truncate font-medium">{call.tool}</span>
        <span className="flex-none text-fg-3 tabular-nums">{t("thread.times", { count: rows.length })}</span>
        <Icon name="down" size={12} className="ml-auto flex-none text-fg-3" />
      </button>
    </li>
  );
}

interface RowProps {
  call: Call;
  depth: number;
  delegate: string | null;
  plannedOnly: boolean;
  about: Plain | null;
  isCurrent: boolean;
  isSelected: boolean;
  onSelect: (call: Call) => void;
}

const Row = memo(function Row({
  call,
  depth,
  delegate,
  plannedOnly,
  about,
  isCurrent,
  isSelected,
  onSelect,
}: RowProps) {
  const t = useTranslations();
  const status = plannedOnly ? "planned" : shownStatus(call);
  const ground = isCurrent
    ? "bg-accent-soft ring-1 ring-accent-line ring-inset"
    : isSelected
      ? "bg-active"
      : "hover:bg-hover";
  return (
    <li style={{ paddingInlineStart: `${Math.min(depth, 4) * 18}px` }}>
      <button
        type="button"
        data-call={call.id}
        aria-current={isCurrent ? "step" : undefined}
        aria-pressed={isSelected}
        onClick={() => onSelect(call)}
        className={`flex h-6 w-full phone:h-11 items-center gap-1.5 rounded-1 px-1.5 text-left whitespace-nowrap ${ground}`}
      >
        <StatusIcon status={status} size={14} label={t(`events.call_status.${status}`)} />
        <span className="max-w-[60%] flex-none truncate font-medium" title={call.tool}>
          {call.tool}
        </span>
        <CallDetail call={call} delegate={delegate} plannedOnly={plannedOnly} about={about} />
        {plannedOnly ? (
          <span className="ml-auto flex-none pl-1.5 text-11 text-fg-3">{t("thread.plannedOnly")}</span>
        ) : (
          <CallTime call={call} className="ml-auto flex-none pl-1.5 text-11 text-fg-3 tabular-nums" />
        )}
      </button>
    </li>
  );
});

/** A call's most important detail: its error, the number of attempts, or its first parameter. */
function CallDetail({
  call,
  delegate,
  plannedOnly,
  about,
}: Pick<RowProps, "call" | "delegate" | "plannedOnly" | "about">) {
  const t = useTranslations("thread");
  const told = useReasonText();
  // Its status says what it waits for.
  const reason = call.status === "parked" ? "" : told(call.error?.message ?? call.reason ?? "");
  const isExceptional = !plannedOnly && call.status !== "succeeded" && call.status !== "running";
  if (isExceptional && reason !== "")
    return (
      <span
        className={`min-w-0 truncate ${shownStatus(call) === "failed" ? "text-st-failed" : "text-fg-3"}`}
        title={reason}
      >
        {reason}
      </span>
    );
  if (call.tries.length > 0)
    return <span className="min-w-0 truncate text-st-failed">{t("tries", { count: call.tries.length + 1 })}</span>;
  const value = about ?? (call.params === null || isRef(call.params) ? null : firstValue(call.params));
  const text = delegate === null ? value : t("delegate");
  return text === null ? null : <span className="min-w-0 truncate text-fg-3">{String(text)}</span>;
}
