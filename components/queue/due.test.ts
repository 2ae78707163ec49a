import { expect, it } from "vitest";
import { dueOf, dueTimes } from "./due.ts";

const NOW = Date.parse("2026-11-28T12:00:00Z");
const at = (minutes: number) => dueOf(NOW + minutes * 60_000, NOW);

it("a due time is told as what is left or overdue, and as a date when far", () => {
  expect(at(-80)).toEqual({ kind: "overdue", hours: 1, minutes: 20 });
  expect(at(-0.5)).toEqual({ kind: "overdue", hours: 0, minutes: 1 });
  expect(at(40)).toEqual({ kind: "soon", hours: 0, minutes: 40 });
  expect(at(210)).toEqual({ kind: "later", hours: 3, minutes: 30 });
  expect(at(24 * 60)).toEqual({ kind: "date" });
  expect(at(-3 * 24 * 60)).toEqual({ kind: "overdue_date" });
});

it("offers the next hours and the next morning", () => {
  const [hour, hours, morning] = dueTimes(NOW);
  expect(Date.parse(hour?.at ?? "") - NOW).toBe(3_600_000);
  expect(Date.parse(hours?.at ?? "") - NOW).toBe(4 * 3_600_000);
  const date = new Date(morning?.at ?? "");
  expect([date.getHours(), date.getMinutes()]).toEqual([9, 0]);
  expect(date.getTime()).toBeGreaterThan(NOW);
});
