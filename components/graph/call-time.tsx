"use client";

import { useDuration } from "@/components/studio/use-duration.ts";
import type { Call } from "@/lib/session/session.ts";
import { tookOf } from "@/lib/session/took-of.ts";
import { useSessionTime } from "./use-session-time.ts";

/** How long a call took, or has been running by now. */
export function CallTime({ call }: { call: Call | null }) {
  if (!call || call.started_at === null) return null;
  return call.status === "running" ? <Running since={Date.parse(call.started_at)} /> : <Took call={call} />;
}

function Took({ call }: { call: Call }) {
  const duration = useDuration();
  const took = tookOf(call);
  return took === null ? null : <span className="pg-time">{duration(took)}</span>;
}

function Running({ since }: { since: number }) {
  const duration = useDuration();
  const now = useSessionTime();
  return now === null ? null : <span className="pg-time">{duration(Math.max(0, now - since))}</span>;
}
