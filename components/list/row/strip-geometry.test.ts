import { describe, expect, it } from "vitest";
import { STRIP, stripGeometry } from "./strip-geometry.ts";

const activity = (counts: number[], marks: string) => ({ start: 0, width: 1_000, counts, marks });

describe("C1: the activity sparkline", () => {
  it("ends with the newest bar, whatever the number of bars", () => {
    const right = (STRIP.slots - 1) * STRIP.pitch;
    expect(stripGeometry(activity([1, 0, 4], "..."), "idle").bars.at(-1)?.x).toBe(right);
    expect(stripGeometry(activity([7], "."), "idle").bars.at(-1)?.x).toBe(right);
  });

  it("draws no bar without events, and keeps a single event visible beside a burst", () => {
    const { bars } = stripGeometry(activity([1, 0, 10_000], "..."), "idle");
    expect(bars.map(({ height }) => height)).toEqual([2, STRIP.base - STRIP.top]);
  });

  it("marks errors, alerts and approvals at their time", () => {
    const { marks } = stripGeometry(activity([1, 1, 1, 1], ".ewm"), "failed");
    expect(marks.map(({ kind }) => kind)).toEqual(["error", "approval", "manager"]);
  });

  it("has a line from the newest approval to the end while it is pending", () => {
    const { marks, waitingFrom } = stripGeometry(activity([1, 1, 1], "w.w"), "waiting");
    expect(marks).toHaveLength(1);
    expect(waitingFrom).toBe((STRIP.slots - 1) * STRIP.pitch);
  });

  it("draws nothing for a conversation without events", () => {
    expect(stripGeometry(activity([], ""), "idle")).toEqual({ bars: [], marks: [], waitingFrom: null });
  });
});
