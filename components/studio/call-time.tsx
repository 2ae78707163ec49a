"use client";

import { useFormatter, useTranslations } from "next-intl";
import { tookOf } from "@/lib/session/runs/took-of.ts";
import type { Call } from "@/lib/session/session.ts";
import { useDuration } from "../format/use-duration.ts";
import { useSessionTime } from "./use-session-time.ts";

interface CallTimeProps {
  call: Call | null;
  className: string;
  /** In narrow places only the progress bar, or the time so far. */
  ticks?: boolean;
}

/** A call's duration; of a running one, its progress or the time so far. */
export function CallTime({ call, className, ticks = false }: CallTimeProps) {
  if (!call) return null;
  const isRunning = call.status === "running";
  if (isRunning && call.progress) return <Progress call={call} className={className} bare={ticks} />;
  if (isRunning && ticks && call.started_at !== null)
    return <Running since={Date.parse(call.started_at)} className={className} />;
  return isRunning && ticks ? null : <Took call={call} className={className} />;
}

function Took({ call, className }: { call: Call; className: string }) {
  const duration = useDuration();
  const took = tookOf(call);
  return took === null ? null : <span className={className}>{duration(took)}</span>;
}

function Running({ since, className }: { since: number; className: string }) {
  const duration = useDuration();
  const now = useSessionTime();
  return now === null ? null : <span className={className}>{duration(Math.max(0, now - since))}</span>;
}

function Progress({ call, className, bare }: { call: Call; className: string; bare: boolean }) {
  const t = useTranslations("studio");
  const format = useFormatter();
  const { part = null, message = null } = call.progress ?? {};
  // Rounded down, so that 100 % means done.
  const percent = part === null ? null : format.number(Math.floor(part * 100) / 100, { style: "percent" });
  return (
    <span
      className={`${className} inline-flex items-center gap-1.5 ${bare ? "flex-none" : "min-w-0 shrink!"}`}
      title={message ?? undefined}
    >
      {!bare && message !== null && <span className="min-w-0 truncate">{message}</span>}
      <progress
        className="progress w-9 flex-none"
        aria-label={t("progress", { tool: call.tool })}
        aria-valuetext={[percent, message].filter((said) => said !== null).join(", ")}
        value={part ?? undefined}
        max={1}
      />
      {percent !== null && <span className="flex-none">{percent}</span>}
    </span>
  );
}
