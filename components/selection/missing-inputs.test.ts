import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/session/json/json.ts";
import { emptySession, fold } from "@/lib/session/reducer/reducer.ts";
import { session } from "@/lib/session/testing/events.ts";
import { missingInputsOf } from "./missing-inputs.ts";

const PLAN: JsonObject[] = [
  { _tool: "orders.get", _id: "order", _outputPath: "†state.order" },
  { _tool: "ledger.post", _id: "ledger", amount: "†state.order.total", _outputPath: "†state.entry" },
  { _tool: "crm.keys", _id: "keys", _outputPath: "†state" },
  { _tool: "audit.close", _id: "audit", entry: "†state.entry", name: "†state.name", order: "†state.order" },
];

const STEPS = session(
  ["run.started", {}],
  ["plan.proposed", { iteration: 1, calls: PLAN }],
  ["plan.validated", { iteration: 1, outputs: [{ call_id: "keys", keys: ["name"] }] }],
  ["call.started", { call_id: "order", tool: "orders.get" }],
  ["call.succeeded", { call_id: "order", tool: "orders.get" }],
  ["state.written", { path: "†state.order", value: { total: 7 }, call_id: "order" }],
  ["call.started", { call_id: "ledger", tool: "ledger.post" }],
  ["call.failed", { call_id: "ledger", tool: "ledger.post", error: { code: "x", message: "y" } }],
  ["call.blocked", { call_id: "audit", tool: "audit.close", reason: "ledger failed" }],
);

function wantsAt(step: number) {
  const folded = fold(emptySession("c"), STEPS.slice(0, step));
  const audit = [...folded.calls.values()].find(({ id }) => id === "audit");
  return (audit ? missingInputsOf(folded, audit) : []).map(({ path, writers }) => [path, writers.map(({ id }) => id)]);
}

describe("P21: the missing inputs of a call", () => {
  test("P21: a planned call waits for paths that may still be written, also those that only its tool declares", () => {
    expect(wantsAt(7)).toEqual([
      ["†state.entry", ["ledger"]],
      ["†state.name", ["keys"]],
    ]);
  });

  test("P21: a path that one branch has written is not missing, whatever the other does", () => {
    const folded = fold(
      emptySession("c"),
      session(
        ["run.started", {}],
        [
          "plan.proposed",
          {
            iteration: 1,
            calls: [
              { _tool: "a", _id: "a", _outputPath: "†state.both" },
              { _tool: "b", _id: "b", _outputPath: "†state.both" },
              { _tool: "tell", _id: "tell", of: "†state.both", more: "†state.never" },
            ],
          },
        ],
        ["state.written", { path: "†state.both", value: null, call_id: "a" }],
        ["call.denied", { call_id: "b", tool: "b" }],
        ["call.blocked", { call_id: "tell", tool: "tell" }],
      ),
    );
    const tell = [...folded.calls.values()].find(({ id }) => id === "tell");
    expect(tell && missingInputsOf(folded, tell)).toEqual([]);
  });

  test("P21: a skipped call refers to the call that took another branch", () => {
    const folded = fold(
      emptySession("c"),
      session(
        ["run.started", {}],
        [
          "plan.proposed",
          {
            iteration: 1,
            calls: [
              { _tool: "check", _id: "check", _outputPath: "†state.yes || †state.no" },
              { _tool: "tell", _id: "tell", of: "†state.no" },
            ],
          },
        ],
        ["call.started", { call_id: "check", tool: "check" }],
        ["call.succeeded", { call_id: "check", tool: "check", branch: 0 }],
        ["state.written", { path: "†state.yes", value: 1, call_id: "check" }],
        ["call.skipped", { call_id: "tell", tool: "tell", reason: "It needs †state.no" }],
      ),
    );
    const tell = [...folded.calls.values()].find(({ id }) => id === "tell");
    expect(tell && missingInputsOf(folded, tell)).toMatchObject([{ path: "†state.no", writers: [{ id: "check" }] }]);
  });

  test("P21: a blocked call refers to the call that did not produce its input", () => {
    expect(wantsAt(9)).toEqual([["†state.entry", ["ledger"]]]);
  });
});
