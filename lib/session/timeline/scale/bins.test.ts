import { expect, test } from "vitest";
import { rowsOf } from "../../testing/timeline-rows.ts";
import { stepAxis } from "./axis.ts";
import { binSteps, kindRanks } from "./bins.ts";
import { FITTED, project } from "./projection.ts";

test("C5: a column of many steps has the number of those of its kind, so that one error does not dominate", () => {
  const rows = rowsOf(Array.from({ length: 1_000 }, (_, i) => (i % 100 === 50 ? "call.failed" : "state.written")));
  const bins = binSteps(
    project(stepAxis(rows.length), 42, FITTED),
    { seqs: null, ranks: kindRanks(rows), counts: null, telling: null },
    4,
  );
  const errors = bins.filter(({ kind }) => kind === "error");
  expect(errors.length).toBeGreaterThan(0);
  expect(errors.reduce((sum, { telling }) => sum + telling, 0)).toBe(10);
  expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(1_000);
  for (const { count, telling, kind } of bins) expect(telling).toBe(kind === "error" ? telling : count);
});
