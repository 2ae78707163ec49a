import { describe, expect, it } from "vitest";
import { AT, carriedOut, happened } from "../testing/documents.ts";
import type { Happening } from "./happening.ts";

describe("planned actions", () => {
  const action = { method: "crm.deal.update", params: { id: 1, fields: { TITLE: "a" } } };
  const reordered = { method: "crm.deal.update", params: { fields: { TITLE: "a" }, id: 1 } };
  const other = { method: "crm.deal.update", params: { id: 2, fields: { TITLE: "a" } } };
  const plan = (planned: typeof action): Happening => ({ type: "planned", action: planned, at: AT });

  it("M8: what is not executed stays planned, once", () => {
    expect(happened(plan(action), plan(other), plan(reordered)).next_planned_actions).toEqual([action, other]);
  });

  it("M13: a failed action stays planned", () => {
    const failed: Happening = { type: "failed", action, at: AT };
    expect(happened(failed).next_planned_actions).toEqual([action]);
    expect(happened(plan(action), failed).next_planned_actions).toEqual([action]);
  });

  it("M8: an executed action is removed from the plan, others stay", () => {
    const done = carriedOut(reordered.method, reordered.params, true, "change");
    expect(happened(plan(action), plan(other), done).next_planned_actions).toEqual([other]);
  });
});
