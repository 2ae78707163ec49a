import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { event } from "../../lib/session/testing/events.ts";
import { Tail } from "./tail.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const HOUR = 3_600_000;
const page = { limit: 10 };
const recorded = (position: number) => ({ event: event(position, "note", {}, { position }), size: 2 });

test("events are read here after each commit, and in the log once nothing was committed for long", () => {
  const tail = new Tail(4);
  tail.push([recorded(5), recorded(6)]);
  expect(tail.since(5, page)?.map(({ position }) => position)).toEqual([6]);

  vi.advanceTimersByTime(HOUR);
  expect(tail.since(5, page)).toBeNull();
  expect(tail.since(6, page)).toEqual([]);

  tail.push([recorded(7)]);
  expect(tail.since(5, page)).toBeNull();
  expect(tail.since(6, page)?.map(({ position }) => position)).toEqual([7]);
  vi.advanceTimersByTime(HOUR);
  expect(tail.since(6, page)).toBeNull();
});

test("what was committed before the log's end was known is not passed over", () => {
  const tail = new Tail(4);
  tail.clear();
  vi.advanceTimersByTime(HOUR);
  expect(tail.since(4, page)).toBeNull();
});
