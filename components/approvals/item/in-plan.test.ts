import { expect, test } from "vitest";
import { recorded } from "@/components/studio/testing/recorded.ts";
import type { JsonObject } from "@/lib/session/json/json.ts";
import { inPlan, stateOf } from "./in-plan.ts";

const PLAN: JsonObject[] = [
  { _tool: "deal.get", _id: "get", id: 7, _outputPath: "†state.deal" },
  { _tool: "deal.update", _id: "update", id: "†state.deal.ID", amount: 250, _outputPath: "†state.updated" },
  { _tool: "mail.send", _id: "mail", about: "†state.updated" },
  { _tool: "clock", _id: "clock" },
];
const asked = (more = {}) =>
  recorded(
    ["run.started", {}],
    ["plan.proposed", { iteration: 1, calls: PLAN }],
    ["call.started", { call_id: "get", tool: "deal.get" }],
    ["call.succeeded", { call_id: "get", tool: "deal.get" }],
    ["state.written", { path: "†state.deal", value: { ID: "7" }, call_id: "get" }],
    [
      "confirmation.requested",
      {
        confirmation_id: "ask",
        key: "deal_7",
        call_id: "update",
        iteration: 1,
        action: { method: "deal.update", params: {} },
        ...more,
      },
    ],
    ["call.parked", { call_id: "update", tool: "deal.update", iteration: 1 }],
  );

function confirmationOf(session: ReturnType<typeof recorded>) {
  const confirmation = session.confirmations.get("ask");
  if (!confirmation) throw new Error("Nothing was asked");
  return confirmation;
}

test("C7: a pending call is shown between the calls it reads from and the calls that read from it", () => {
  const session = asked();
  const place = inPlan(session, confirmationOf(session));
  expect([place?.call.id, place?.status]).toEqual(["update", "parked"]);
  expect(place?.before).toEqual([{ id: "get", tool: "deal.get", status: "succeeded" }]);
  expect(place?.after).toEqual([{ id: "mail", tool: "mail.send", status: "planned" }]);
  expect(stateOf(session, confirmationOf(session))).toEqual({ deal: { ID: "7" } });
});

test("C7: a request without a plan has no position in a plan", () => {
  const session = asked({ call_id: "other" });
  expect(inPlan(session, confirmationOf(session))).toBeNull();
});
