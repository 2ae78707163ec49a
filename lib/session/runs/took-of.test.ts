import { expect, test } from "vitest";
import { tookOf } from "./took-of.ts";

test("E9: the duration of a call that a fork closed is unknown", () => {
  const times = { started_at: "2026-03-04T12:00:00.000Z", ended_at: "2026-03-04T12:00:02.000Z" };
  expect(tookOf({ ...times, reason: null })).toBe(2_000);
  expect(tookOf({ ...times, reason: "Cancelled by anna" })).toBe(2_000);
  expect(tookOf({ ...times, reason: "Forked" })).toBeNull();
  expect(tookOf({ ...times, ended_at: null, reason: null })).toBeNull();
});
