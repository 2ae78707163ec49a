import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Pace } from "./pace.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

/** A fake change that takes this long to render. */
async function renderFor(pace: Pace, ms: number): Promise<void> {
  pace.measure(() => vi.advanceTimersByTime(ms));
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}

test("C5: panes that render fast follow every change", async () => {
  const pace = new Pace();
  await renderFor(pace, 0);
  expect(pace.isFree(() => undefined)).toBe(true);
});

test("C5: slow panes are skipped for a while, and then update once", async () => {
  const pace = new Pace();
  await renderFor(pace, 40);
  const later = vi.fn();
  expect(pace.isFree(later)).toBe(false);
  expect(pace.isFree(later)).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  expect(later).toHaveBeenCalledTimes(1);
  expect(pace.isFree(later)).toBe(true);
});

test("C5: panes that render one after another are skipped for the time of all of them", async () => {
  const pace = new Pace();
  await renderFor(pace, 20);
  await renderFor(pace, 20);
  const later = vi.fn();
  expect(pace.isFree(later)).toBe(false);
  await vi.advanceTimersByTimeAsync(60);
  expect(pace.isFree(later)).toBe(false);
  await vi.advanceTimersByTimeAsync(60);
  expect(pace.isFree(later)).toBe(true);
});

test("C5: on a slow machine the panes still update soon", async () => {
  const pace = new Pace();
  for (let pane = 0; pane < 4; pane += 1) await renderFor(pace, 200);
  const later = vi.fn();
  expect(pace.isFree(later)).toBe(false);
  await vi.advanceTimersByTimeAsync(100);
  expect(later).toHaveBeenCalledTimes(1);
  expect(pace.isFree(later)).toBe(true);
});
