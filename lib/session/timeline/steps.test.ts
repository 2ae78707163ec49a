import { describe, expect, test } from "vitest";
import { row, rowsOf } from "../testing/timeline-rows.ts";
import { playOn } from "./playback.ts";
import { effectsOf, nextStep, turnStart } from "./steps.ts";

const rows = [
  row(1, "conversation.created"),
  row(2, "message.created", { actor: "user:alice" }),
  row(3, "run.started", { cause: 2 }),
  row(4, "call.started", { cause: 3 }),
  row(5, "call.failed", { cause: 4, error: true }),
  row(6, "message.created", { actor: "agent:a", cause: 3 }),
];

describe("C5: previous and next", () => {
  test("by step, call, message, run and error", () => {
    expect(nextStep(rows, 0, "step", 1)).toBe(1);
    expect(nextStep(rows, 1, "step", -1)).toBe(0);
    expect(nextStep(rows, 0, "message", 1)).toBe(2);
    expect(nextStep(rows, 6, "message", -1)).toBe(2);
    expect(nextStep(rows, 0, "call", 1)).toBe(4);
    expect(nextStep(rows, 6, "run", -1)).toBe(3);
    expect(nextStep(rows, 0, "error", 1)).toBe(5);
  });

  test("stay if there is none", () => {
    expect(nextStep(rows, 6, "step", 1)).toBeNull();
    expect(nextStep(rows, 0, "step", -1)).toBeNull();
    expect(nextStep(rows, 5, "error", 1)).toBeNull();
    expect(nextStep(rows, 6, "call", 1)).toBeNull();
  });

  test("errors, approvals and alerts wrap around", () => {
    expect(nextStep(rows, 6, "error", 1)).toBe(5);
    expect(nextStep(rows, 2, "error", -1)).toBe(5);
    expect(nextStep(rows, 0, "error", -1)).toBe(5);
    expect(nextStep(rows, 6, "alert", 1)).toBeNull();
  });

  test("effects of a step are those that it caused", () => {
    const effects = effectsOf(rows);
    expect(effects.get(3)).toEqual({ first: 4, count: 2 });
    expect(effects.get(6)).toBeUndefined();
  });

  test("a turn starts with a person's message", () => {
    expect(turnStart([2, 9], 6)).toBe(2);
    expect(turnStart([2, 9], 9)).toBe(9);
    expect(turnStart([2, 9], 1)).toBe(1);
    expect(turnStart([2, 9], 0)).toBe(0);
  });
});

describe("C5: playback follows recorded time", () => {
  const timed = rowsOf(["log", "log", "log", "log"], [0, 300, 300, 3_600_300]);

  test("a step is reached at its time, simultaneous ones together", () => {
    expect(playOn(timed, { at: 1, spent: 0 }, 200, 4)).toEqual({ at: 1, spent: 200 });
    expect(playOn(timed, { at: 1, spent: 200 }, 100, 4)).toEqual({ at: 3, spent: 0 });
  });

  test("pauses are shortened, and playback stops at the last step", () => {
    expect(playOn(timed, { at: 3, spent: 0 }, 1_200, 4)).toEqual({ at: 4, spent: 0 });
  });

  test("steps without times are evenly spaced", () => {
    expect(playOn(rowsOf(["log", "log", "log", "log"]), { at: 1, spent: 0 }, 550, 4)).toEqual({ at: 3, spent: 50 });
  });
});
