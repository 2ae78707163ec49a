"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useSelectCall } from "@/components/selection/use-select-call.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Icon } from "@/components/ui/icon.tsx";
import type { ValueEnd, ValueRow } from "./value-rows.ts";

/** More are shown on request. */
const SHOWN = 8;
const LONGEST_PATH = 28;
const ROLES = ["user", "system", "operator"] as const;

interface CallValuesProps {
  /** What the rows say: where input values came from, or who used output values. */
  kind: "from" | "to";
  rows: readonly ValueRow[];
}

/** A call's values, each with chips that lead to where it came from, or to who used it (E15). */
export function CallValues({ kind, rows }: CallValuesProps) {
  const t = useTranslations("inspector.call.values");
  const [isOpen, setOpen] = useState(false);
  const hidden = isOpen ? 0 : Math.max(0, rows.length - SHOWN);
  if (rows.length === 0) return null;
  return (
    <div className="-mx-3 border-line border-b pb-1 mb-1">
      <ul aria-label={t(kind)}>
        {(hidden > 0 ? rows.slice(0, SHOWN) : rows).map((row) => (
          <Row key={`${row.path} ${row.value ?? ""}`} row={row} kind={kind} />
        ))}
      </ul>
      {hidden > 0 && (
        <button
          type="button"
          onClick={() => setOpen(true)}
          className="min-h-6 phone:min-h-11 px-3 text-fg-2 underline decoration-line-control underline-offset-3 hover:text-fg"
        >
          {t("more", { count: hidden })}
        </button>
      )}
    </div>
  );
}

function Row({ row: { path, value, ends, named }, kind }: { row: ValueRow; kind: CallValuesProps["kind"] }) {
  const t = useTranslations("inspector.call.values");
  const ground = named ? "bg-st-failed-bg shadow-[inset_2px_0_0_var(--st-failed)]" : "";
  return (
    <li className={`flex items-start gap-2 px-3 py-1 ${ground}`}>
      <div className="min-w-0 flex-1 font-mono text-11 leading-4">
        <p className="truncate text-fg-3" title={path}>
          {path === "" ? t("whole") : tailOf(path)}
        </p>
        {value !== null && (
          <p className="truncate text-fg" title={value}>
            {value}
          </p>
        )}
        {named && <p className="font-sans text-st-failed">{t("named")}</p>}
      </div>
      <ul className="flex max-w-[58%] flex-none flex-col items-end gap-0.5">
        {ends.map((end) => (
          <li
            key={end.kind === "message" ? end.seq : `${end.call.started_seq} ${end.call.id} ${end.path}`}
            className="max-w-full"
          >
            <Chip end={end} kind={kind} />
          </li>
        ))}
      </ul>
    </li>
  );
}

/** A button that shows the other end of a value. */
function Chip({ end, kind }: { end: ValueEnd; kind: CallValuesProps["kind"] }) {
  const t = useTranslations("inspector.call.values");
  const selectCall = useSelectCall();
  const jump = useStudio((state) => state.jump);
  if (end.kind === "message") {
    const role = ROLES.find((one) => one === end.role);
    const name = role ? t(`role.${role}`) : end.role;
    return (
      <ChipButton
        name={t("fromMessage", { role: name, step: end.seq })}
        look="border-line-strong text-fg-2"
        onClick={() => jump(end.seq)}
      >
        <Icon name="thread" size={12} />
        <span className="truncate">{name}</span>
        <span className="tabular-nums">{end.seq}</span>
      </ChipButton>
    );
  }
  const { call, path, declared } = end;
  const step = (kind === "from" ? call.ended_seq : call.started_seq) ?? 0;
  const failed = kind === "to" && call.status === "failed";
  const words = { tool: call.tool, step, path: path === "" ? t("whole") : path };
  return (
    <ChipButton
      name={[t(kind === "from" ? "fromCall" : "usedBy", words), t(declared ? "declared" : "inferred")]
        .concat(failed ? [t("failed")] : [])
        .join("; ")}
      look={failed ? `${FAILED} ${declared ? "" : "border-dashed"}` : declared ? DECLARED : INFERRED}
      onClick={() => selectCall(call)}
      below={path === "" ? t("whole") : tailOf(path)}
      title={path}
    >
      {failed && <Icon name="failed" size={12} />}
      <span className="truncate">{call.tool}</span>
      <span className="tabular-nums">{step}</span>
    </ChipButton>
  );
}

const INFERRED = "border-dashed border-[var(--edge-inferred)] bg-[var(--edge-inferred-bg)] text-[var(--edge-inferred)]";
const DECLARED = "border-line-control bg-surface text-fg";
const FAILED = "border-st-failed bg-st-failed-bg text-st-failed";

interface ChipButtonProps {
  /** Its accessible name. */
  name: string;
  look: string;
  onClick: () => void;
  /** The path under the chip. */
  below?: string;
  title?: string;
  children: React.ReactNode;
}

function ChipButton({ name, look, onClick, below, title, children }: ChipButtonProps) {
  return (
    <button
      type="button"
      aria-label={name}
      title={title}
      onClick={onClick}
      className="flex min-h-6 phone:min-h-11 max-w-full flex-col items-end justify-center"
    >
      <span className={`inline-flex max-w-full items-center gap-1 rounded-1 border px-1.25 text-11 leading-4 ${look}`}>
        {children}
      </span>
      {below !== undefined && (
        <span className="max-w-full truncate font-mono text-11 leading-4 text-fg-3">{below}</span>
      )}
    </button>
  );
}

/** A long path loses its beginning. */
function tailOf(path: string): string {
  return path.length > LONGEST_PATH ? `…${path.slice(1 - LONGEST_PATH)}` : path;
}
