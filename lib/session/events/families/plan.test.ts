import { expect, it } from "vitest";
import type { Json } from "../../json/json.ts";
import { emptySession, fold } from "../../reducer/reducer.ts";
import { session } from "../../testing/events.ts";
import { toView } from "../../view.ts";

function planWith(type: "plan.validated" | "plan.rejected", problems: Json[]) {
  const events = session(
    ["run.started", {}],
    ["plan.proposed", { iteration: 1, calls: [{ _tool: "mail", _id: "mail" }] }],
    [type, { iteration: 1, problems }],
  );
  return toView(fold(emptySession("c"), events), events.length).plan;
}

it("C4: a plan has its problems, and whether it was rejected", () => {
  const unbound = { code: "unbound", severity: "error", call: "mail", path: "/to", message: "Nobody writes †state.to" };
  expect(planWith("plan.rejected", [unbound])).toMatchObject({ rejected: true, problems: [unbound], problem_count: 1 });
  expect(planWith("plan.validated", [])).toMatchObject({ rejected: false, problems: [], problem_count: 0 });
});

it("C4: problems in another agent's format are shown as far as they can be parsed", () => {
  expect(planWith("plan.rejected", ["No such tool", { why: 7 }])?.problems).toEqual([
    { code: "", severity: "error", call: null, path: "", message: "No such tool" },
    { code: "", severity: "error", call: null, path: "", message: '{"why":7}' },
  ]);
});

it("E8: of many problems the first are kept, and all are counted", () => {
  const plan = planWith(
    "plan.rejected",
    Array.from({ length: 5_000 }, (_, n) => `problem ${n}`),
  );
  expect(plan?.problems).toHaveLength(200);
  expect(plan?.problem_count).toBe(5_000);
});

it("C4: a run that ended with an iteration without calls shows the last plan with calls", () => {
  const events = session(
    ["run.started", {}],
    ["run.iteration", { iteration: 1 }],
    ["plan.proposed", { iteration: 1, calls: [{ _tool: "mail", _id: "mail" }] }],
    ["plan.validated", { iteration: 1 }],
    ["run.iteration", { iteration: 2 }],
    ["plan.proposed", { iteration: 2, calls: [] }],
    ["plan.validated", { iteration: 2 }],
    ["run.finished", {}],
  );
  const { plan } = toView(fold(emptySession("c"), events), events.length);
  expect(plan).toMatchObject({ iteration: 1, calls: [{ _id: "mail" }] });
});
