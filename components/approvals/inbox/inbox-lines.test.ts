import { expect, test } from "vitest";
import type { ListedConfirmation } from "@/lib/api/shapes.ts";
import { linesOf, topOf } from "./inbox-lines.ts";

const NOW = Date.parse("2026-11-21T12:00:00.000Z");
const HOUR = 3_600_000;
const item = (id: string, hours: number) =>
  ({ id, status: "requested", requested_at: new Date(NOW - hours * HOUR).toISOString() }) as ListedConfirmation;

test("C7: overdue approvals have their own heading with their number", () => {
  const lines = linesOf([item("a", 27), item("b", 25), item("c", 2)], NOW);
  expect(lines.map((line) => (line.kind === "group" ? [line.overdue, line.count] : line.position))).toEqual([
    [true, 2],
    1,
    2,
    [false, 1],
    3,
  ]);
  expect(topOf(lines, "a", "window")).toBe(27);
  expect(topOf(lines, "c", "window")).toBe(27 + 71 + 71 + 27);
  expect(topOf(lines, "gone", "window")).toBeNull();
});

test("C7: without overdue approvals there are no headings", () => {
  expect(linesOf([item("a", 3), item("b", 2)], NOW).map(({ kind }) => kind)).toEqual(["item", "item"]);
});
