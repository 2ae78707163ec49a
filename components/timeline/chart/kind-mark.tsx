import type { EventKind } from "@/lib/session/events/kinds.ts";

const SHAPES = {
  message: "timeline-mark-tall",
  run: "timeline-mark-short",
  model: "timeline-mark-short",
  tool: "timeline-mark-short",
  memory: "timeline-mark-short",
  state: "timeline-mark-diamond",
  approval: "timeline-mark-disc",
  error: "timeline-mark-cross",
} as const satisfies Record<EventKind, string>;

/** The mark of each kind of step in the lane of events. */
export function KindMark({ kind }: { kind: EventKind }) {
  return <span aria-hidden className={`timeline-mark ${SHAPES[kind]}`} style={{ color: `var(--k-${kind})` }} />;
}
