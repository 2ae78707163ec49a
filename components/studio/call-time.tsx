"use client";

import type { Call } from "@/lib/session/session.ts";
import { tookOf } from "@/lib/session/took-of.ts";
import { useDuration } from "./use-duration.ts";
import { useSessionTime } from "./use-session-time.ts";

interface CallTimeProps {
  call: Call | null;
  className: string;
  /** While it runs, how long by now is told too. */
  ticks?: boolean;
}

/** How long a call took, or has been running by now. */
export function CallTime({ call, className, ticks = false }: CallTimeProps) {
  if (!call) return null;
  const isRunning = call.status === "running";
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
