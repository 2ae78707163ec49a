import { describe, expect, it } from "vitest";
import { STRIP, stripGeometry } from "./strip-geometry.ts";

const activity = (counts: number[], marks: string) => ({ start: 0, width: 1_000, counts, marks });

describe("C1: the activity strip", () => {
  it("ends with the newest bar, whatever the number of bars", () => {
    const right = (STRIP.slots - 1) * STRIP.pitch;
    expect(stripGeometry(activity([1, 0, 4], "..."), "idle").bars.at(-1)?.x).toBe(right);
    expect(stripGeometry(activity([7], "."), "idle").bars.at(-1)?.x).toBe(right);
  });

  it("draws no bar where nothing happened and keeps a lone event visible beside a burst", () => {
    const { bars } = stripGeometry(activity([1, 0, 10_000], "..."), "idle");
    expect(bars.map(({ height }) => height)).toEqual([2, STRIP.base - STRIP.top]);
  });

  it("marks errors, managers and approvals where they happened", () => {
    const { marks } = stripGeometry(activity([1, 1, 1, 1], ".ewm"), "failed");
    expect(marks.map(({ kind }) => kind)).toEqual(["error", "approval", "manager"]);
  });

  it("runs on from the newest approval while the conversation waits for it", () => {
    const { marks, waitingFrom } = stripGeometry(activity([1, 1, 1], "w.w"), "waiting");
    expect(marks).toHaveLength(1);
    expect(waitingFrom).toBe((STRIP.slots - 1) * STRIP.pitch);
  });

  it("draws nothing for a conversation in which nothing has happened", () => {
    expect(stripGeometry(activity([], ""), "idle")).toEqual({ bars: [], marks: [], waitingFrom: null });
  });
});
