"use client";

import { useFormatter } from "next-intl";
import { useDuration } from "@/components/format/use-duration.ts";
import { useClock } from "@/components/studio/use-session-time.ts";
import type { TimelineModel } from "@/lib/session/timeline/model.ts";
import { rowAt } from "@/lib/session/timeline/timeline.ts";
import { useEventName } from "../use-event-name.ts";
import type { Hit } from "./hit.ts";

/** The item under the pointer, and its position on screen. */
export interface Hover {
  hit: Hit;
  x: number;
  y: number;
}

const CLOCK = {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
  hour12: false,
} as const;

/** A tooltip of the item under the pointer; its content is also in the transport and the inspector. */
export function HoverCard({ hover: { hit, x, y }, model }: { hover: Hover; model: TimelineModel }) {
  const format = useFormatter();
  const duration = useDuration();
  const nameOf = useEventName();
  const now = useClock(hit.kind === "bar" && hit.to === null);
  const facts: (string | null)[] = [];
  if (hit.kind === "step") {
    const row = rowAt(model.rows, hit.seq);
    facts.push(
      row ? nameOf(row.type) : null,
      row?.call?.tool ?? null,
      row?.time ? format.dateTime(row.time, CLOCK) : null,
    );
  } else {
    const start = rowAt(model.rows, hit.from)?.time ?? null;
    const end = hit.to === null ? now : (rowAt(model.rows, hit.to)?.time ?? null);
    facts.push(hit.name, start === null || end === null ? null : duration(Math.max(end - start, 0)));
  }
  const steps = hit.kind === "step" ? String(hit.seq) : `${hit.from}–${hit.to ?? "…"}`;
  return (
    <div aria-hidden className="timeline-hover" style={{ left: x, top: y }}>
      <b>{steps}</b>
      {facts.filter(Boolean).join(" · ")}
    </div>
  );
}
