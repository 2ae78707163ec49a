"use client";

import { useTranslations } from "next-intl";
import { memo } from "react";
import { useReasonText } from "@/components/format/use-reason-text.ts";
import { CallTime } from "@/components/studio/call-time.tsx";
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
  return (
    <ul className="my-1 border-l-2 border-line-strong pl-1">
      {rows.map((row) => (
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
      ))}
    </ul>
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
