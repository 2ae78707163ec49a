import { describe, expect, it } from "vitest";
import type { Action, Happening } from "./actions/happening.ts";
import { AT, carriedOut, document, EXAMPLE, happened, LATER } from "./testing/documents.ts";
import { update } from "./update.ts";

const KEY = "deal_123_opportunity";
const action: Action = { method: "crm.deal.update", params: { id: 123, fields: { OPPORTUNITY: 100_000 } } };
const other: Action = { method: "crm.deal.update", params: { id: 123, fields: { OPPORTUNITY: 5 } } };
const asked = { ...action, requires_confirmation: true };

function request(of: Action = action, description = "Изменить сумму", at = AT): Happening {
  return { type: "requested", key: KEY, action: of, description, at };
}
const approve = (of: Action = action, key = KEY): Happening => ({ type: "approved", key, action: of, at: LATER });
const deny = (of: Action = action, key = KEY): Happening => ({
  type: "denied",
  key,
  action: of,
  reason: "Нет",
  at: LATER,
});
const carryOut = ({ method, params }: Action) => carriedOut(method, params, true, "change");

describe("a request", () => {
  it("M9: becomes a confirmation with a copy of the action, a step, and stays planned", () => {
    expect(happened(request())).toEqual(
      document({
        in_progress: [{ description: "Изменить сумму", requested_at: AT }],
        next_planned_actions: [asked],
        confirmations: {
          [KEY]: { status: "requested", requested_at: AT, description: "Изменить сумму", action: asked },
        },
      }),
    );
  });

  it("M9: under a pending key replaces the earlier one, with its step and planned action", () => {
    const now = happened(request(other, "До 5"), request());
    expect(now).toEqual(happened(request()));
  });

  it("M9: after a decision is a new one", () => {
    expect(happened(request(), deny(), request(action, "Ещё раз", LATER)).confirmations[KEY]).toEqual({
      status: "requested",
      requested_at: LATER,
      description: "Ещё раз",
      action: asked,
    });
  });
});

describe("a decision", () => {
  it("M9: approved: has the time, and the step is removed; the action stays planned", () => {
    const now = happened(request(), approve());
    const copy = { ...action, confirmation_decision: "approve" };
    expect(now.confirmations[KEY]).toEqual({
      status: "approved",
      requested_at: AT,
      approved_at: LATER,
      description: "Изменить сумму",
      action: copy,
    });
    expect([now.in_progress, now.next_planned_actions]).toEqual([[], [copy]]);
  });

  it("M9: denied: has time and reason, as in the example; the action is removed from the plan", () => {
    const now = happened(request(), deny());
    expect(JSON.stringify(now.confirmations[KEY])).toBe(
      JSON.stringify({
        status: "denied",
        requested_at: AT,
        denied_at: LATER,
        description: "Изменить сумму",
        reason: "Нет",
        action: { ...action, confirmation_decision: "deny" },
      }),
    );
    expect([now.in_progress, now.next_planned_actions]).toEqual([[], []]);
  });

  it("M9: may approve an edited action, which replaces the copy and the planned one", () => {
    const now = happened(request(), approve(other));
    expect(now.confirmations[KEY]?.action).toEqual({ ...other, confirmation_decision: "approve" });
    expect(now.next_planned_actions).toMatchObject([other]);
  });

  it("M9: the first one counts", () => {
    expect(happened(request(), approve(), deny())).toEqual(happened(request(), approve()));
    expect(happened(request(), deny(), approve())).toEqual(happened(request(), deny()));
  });

  it("M9: with an unknown key changes nothing", () => {
    for (const key of ["none", "toString"]) {
      expect(happened(request(), approve(action, key))).toEqual(happened(request()));
      expect(happened(request(), deny(action, key))).toEqual(happened(request()));
    }
  });

  it("M9: a denial of an action that is no longer pending changes nothing", () => {
    expect(happened(request(), deny(other))).toEqual(happened(request()));
  });

  it("M9: only removes its own step", () => {
    const twin: Happening = {
      type: "requested",
      key: "task_456_deadline",
      action: other,
      description: "Другое",
      at: AT,
    };
    expect(happened(request(), twin, approve()).in_progress).toEqual([{ description: "Другое", requested_at: AT }]);
    expect(happened(twin, request(), approve()).in_progress).toEqual([{ description: "Другое", requested_at: AT }]);
  });

  it("M9: finds the step of an imported document by its time", () => {
    const now = update(EXAMPLE, deny(), "ru");
    expect(EXAMPLE.in_progress).toHaveLength(1);
    expect(now.in_progress).toEqual([]);
    expect(now.confirmations[KEY]).toMatchObject({ status: "denied", denied_at: LATER });
  });
});

describe("an approved action", () => {
  it("M9: is confirmed when executed, and removed from the plan", () => {
    const reordered = { method: action.method, params: { fields: { OPPORTUNITY: 100_000 }, id: 123 } };
    const now = happened(request(), approve(), carryOut(reordered));
    expect(now.confirmations[KEY]).toMatchObject({ status: "approved", action: { confirmed: true } });
    expect(now.next_planned_actions).toEqual([]);
  });

  it("M9: one execution uses one approval", () => {
    const again: Happening = { type: "requested", key: "again", action, description: "Ещё раз", at: AT };
    const approved = [request(), approve(), again, approve(action, "again")];
    const confirmed = (...executions: Happening[]) =>
      Object.values(happened(...approved, ...executions).confirmations).map(({ action: copy }) => copy.confirmed);
    expect(confirmed(carryOut(action))).toEqual([true, undefined]);
    expect(confirmed(carryOut(action), carryOut(action))).toEqual([true, true]);
  });

  it("M9: a pending, denied or other action is not confirmed by an execution", () => {
    for (const before of [[request()], [request(), deny()], [request(), approve(other)]])
      expect(happened(...before, carryOut(action)).confirmations[KEY]?.action.confirmed).toBeUndefined();
  });
});
