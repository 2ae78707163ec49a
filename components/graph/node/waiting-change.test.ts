import { expect, test } from "vitest";
import { waitingChange } from "./waiting-change.ts";

const params = { id: 1842, fields: { TITLE: "Servers", OPPORTUNITY: 1_450_000 } };
const confirmation = (before: { OPPORTUNITY: string } | null) => ({
  action: { method: "crm.deal.update", params },
  before,
});

test("C7: a card shows the old value in the request, even when the state has none or another", () => {
  const expected = { name: "fields.OPPORTUNITY", before: 1_180_000, after: 1_450_000 };
  const call = { status: "parked" as const, decision: null, params };
  const told = confirmation({ OPPORTUNITY: "1180000.00" });
  expect(waitingChange(call, told, null)).toEqual(expected);
  expect(waitingChange(call, told, { deal: { id: 1842, OPPORTUNITY: 7 } })).toEqual(expected);
});

test("C7: a card shows the requested values, not the call's original parameters", () => {
  const call = { status: "parked" as const, decision: null, params: { deal: 1842, to: 5 } };
  expect(waitingChange(call, confirmation(null), null)).toEqual({
    ...{ name: "fields.TITLE", before: undefined, after: "Servers" },
  });
});

test("C7: without a confirmation the old value comes from the state, and a call that is not parked shows no change", () => {
  const state = { deal: { id: 7, amount: 100 } };
  const call = { decision: null, params: { id: 7, amount: 250 } };
  expect(waitingChange({ ...call, status: "parked" }, null, state)).toEqual({
    name: "amount",
    before: 100,
    after: 250,
  });
  expect(waitingChange({ ...call, status: "running" }, null, state)).toBeNull();
  expect(waitingChange({ ...call, status: "parked", decision: "approved" }, null, state)).toBeNull();
});
