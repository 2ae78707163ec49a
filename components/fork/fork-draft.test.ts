import { describe, expect, test } from "vitest";
import type { Json } from "@/lib/session/json/json.ts";
import { emptySession, fold } from "@/lib/session/reducer/reducer.ts";
import type { Session } from "@/lib/session/session.ts";
import { session as steps } from "@/lib/session/testing/events.ts";
import { type ForkDraft, knownValues, newestSaid, openAt, planText, readDraft } from "./fork-draft.ts";

const CALLS = [{ _tool: "get", _id: "get", id: 7 }];

const session = folded(
  ["message.created", { message_id: "m1", role: "user", content: "Raise it" }],
  ["run.started", {}],
  ["plan.proposed", { iteration: 1, calls: CALLS }],
  ["state.written", { path: "†state.deal", value: { amount: 200 } }],
  ["state.written", { path: '†state["a b"]', value: "x".repeat(20_000) }],
  ["state.written", { path: "†state.deal", value: 1, instance: "①" }],
  ["message.created", { message_id: "m2", role: "assistant", content: "Shall I?" }],
);

function folded(...told: [type: string, payload: Json][]): Session {
  return fold(emptySession("c"), steps(...told));
}

function draft(part: Partial<ForkDraft> = {}): ForkDraft {
  return { title: " ", what: "step", values: [], plan: planText(session), message: "", ...part };
}

describe("E9: the request of a fork", () => {
  test("E9: contains nothing that was not changed", () => {
    expect(readDraft(draft(), session)).toEqual({ ok: true, body: { at: 7 } });
    expect(readDraft(draft({ title: " Another way ", plan: " " }), session)).toEqual({
      ok: true,
      body: { at: 7, title: "Another way" },
    });
  });

  test("E9: contains values at their paths, and a changed plan", () => {
    const values = [
      { id: 1, instance: "", path: "†state.deal.amount", text: "90" },
      { id: 2, instance: "①", path: "†state.deal", text: "null" },
    ];
    const plan = JSON.stringify([{ ...CALLS[0], id: 8 }]);
    expect(readDraft(draft({ values, plan }), session)).toEqual({
      ok: true,
      body: {
        at: 7,
        edits: [
          { path: "†state.deal.amount", value: 90 },
          { instance: "①", path: "†state.deal", value: null },
        ],
        plan: [{ _tool: "get", _id: "get", id: 8 }],
      },
    });
  });

  test("E9: reports each field with invalid JSON", () => {
    const values = [
      { id: 1, instance: "", path: "†state.a", text: "yes" },
      { id: 2, instance: "", path: "†state.b", text: "1" },
    ];
    expect(readDraft(draft({ values, plan: "[" }), session)).toEqual({
      ok: false,
      flawed: new Map<number | "plan", string>([
        [1, "value"],
        ["plan", "value"],
      ]),
    });
  });

  test("E9: contains a message that replaces the user's", () => {
    const values = [{ id: 1, instance: "", path: "†state.a", text: "not JSON" }];
    expect(readDraft(draft({ what: "message", message: "Lower it", values }), session)).toEqual({
      ok: true,
      body: { at: 0 },
    });
    expect(newestSaid(session)).toEqual({ seq: 1, content: "Raise it" });
    expect(newestSaid(folded(["run.started", {}]))).toBeNull();
  });
});

test("E9: offers the values of the state, a large one empty", () => {
  expect(knownValues(session)).toEqual([
    { instance: "", path: "†state.deal", text: '{\n  "amount": 200\n}' },
    { instance: "", path: '†state["a b"]', text: "" },
    { instance: "①", path: "†state.deal", text: "1" },
  ]);
  expect(knownValues(folded(["log", 1]))).toEqual([]);
});

test("E9: lists what is open at the step and closed in the fork", () => {
  const asked = { confirmation_id: "c", key: "k", action: { method: "pay", params: {} } };
  expect(openAt(session)).toEqual({ runs: 1, confirmations: 0 });
  expect(openAt(folded(["run.started", {}], ["confirmation.requested", asked], ["run.finished", {}]))).toEqual({
    runs: 0,
    confirmations: 1,
  });
});
