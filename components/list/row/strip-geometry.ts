import type { Activity, ConversationStatus } from "@/lib/session/session.ts";

/** The grid: as many slots as bars at most, and room for the sign at the end. */
export const STRIP = { slots: 40, pitch: 4.25, bar: 3, base: 16, top: 3, width: 176, height: 21 } as const;

interface Bar {
  x: number;
  height: number;
}

/** From this number of events a bar has full height, so that three events do not look like a burst. */
const FULL = 8;

/** A notable event: its position and kind. */
interface Mark {
  x: number;
  kind: "approval" | "error" | "manager";
}

export interface StripGeometry {
  bars: Bar[];
  marks: Mark[];
  /** From the newest approval to the end, while it is pending. */
  waitingFrom: number | null;
}

const KINDS: Record<string, Mark["kind"]> = { w: "approval", e: "error", m: "manager" };

/**
 * The geometry of a sparkline, the newest bar at its right end. Heights grow with the square root of the count, so that
 * a single event is visible beside a burst.
 */
export function stripGeometry({ counts, marks }: Activity, status: ConversationStatus): StripGeometry {
  const most = Math.max(FULL, ...counts);
  const first = STRIP.slots - counts.length;
  const x = (index: number) => (first + index) * STRIP.pitch;
  const tallest = STRIP.base - STRIP.top;
  const found = [...marks].flatMap((letter, index) => {
    const kind = KINDS[letter];
    return kind ? [{ x: x(index), kind }] : [];
  });
  const asked = status === "waiting" ? found.findLast(({ kind }) => kind === "approval") : undefined;
  return {
    bars: counts.flatMap((count, index) =>
      count > 0 ? [{ x: x(index), height: Math.max(2, Math.round(tallest * Math.sqrt(count / most))) }] : [],
    ),
    marks: found.filter((mark) => mark !== asked),
    waitingFrom: asked?.x ?? null,
  };
}
