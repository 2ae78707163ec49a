import { expect, test } from "vitest";
import { isOverdue, OVERDUE_AFTER, waitedOf, waitOf } from "./waited.ts";

const MINUTE = 60_000;

test("C7: a waiting time has at most two units", () => {
  expect(waitedOf(-1)).toEqual({ unit: "now" });
  expect(waitedOf(MINUTE - 1)).toEqual({ unit: "now" });
  expect(waitedOf(48 * MINUTE)).toEqual({ unit: "minutes", minutes: 48 });
  expect(waitedOf(134 * MINUTE)).toEqual({ unit: "hours", hours: 2, minutes: 14 });
  expect(waitedOf(27 * 60 * MINUTE)).toEqual({ unit: "days", days: 1, hours: 3 });
});

test("C7: an approval is overdue after a day, and a decided one never is", () => {
  const at = "2026-11-21T10:00:00.000Z";
  const asked = { status: "requested", requested_at: at } as const;
  expect(isOverdue(asked, Date.parse(at) + OVERDUE_AFTER)).toBe(false);
  expect(isOverdue(asked, Date.parse(at) + OVERDUE_AFTER + 1)).toBe(true);
  expect(isOverdue({ ...asked, status: "denied" }, Date.parse(at) + OVERDUE_AFTER + 1)).toBe(false);
  expect(waitOf(asked, Date.parse(at) - 5)).toBe(0);
});
