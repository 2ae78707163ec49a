import { describe, expect, test } from "vitest";
import type { InferredEdge } from "../find/inferred-edges.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { emptySession, fold } from "../reducer/reducer.ts";
import { session as stepsOf } from "../testing/events.ts";
import { failureReport } from "./report.ts";

type Steps = Parameters<typeof stepsOf>;

/** The report of the failure at a step. */
function report(at: number, edges: readonly InferredEdge[], ...steps: Steps) {
  const events = stepsOf(...steps);
  const [event] = events.slice(at - 1);
  if (!event) throw new Error("no such step");
  const begin = emptySession("c");
  return failureReport(event, fold(begin, events.slice(0, at)), fold(begin, events), edges);
}

const started = (call_id: string, tool: string, params: Json): Steps[number] => [
  "call.started",
  { call_id, tool, params },
];
const succeeded = (call_id: string, tool: string, output: Json): Steps[number] => [
  "call.succeeded",
  { call_id, tool, output },
];
const failed = (call_id: string, tool: string, message: string): Steps[number] => [
  "call.failed",
  { call_id, tool, error: { code: "refused", message } },
];

describe("C2a: the report of a failure", () => {
  test("follows the value that the error names to its source, and to what that was made of", () => {
    const found = report(
      8,
      [],
      ["run.started", {}],
      started("get", "get_prices", {}),
      succeeded("get", "get_prices", [{ price: 158 }, { price: 141 }]),
      started("sum", "calculate", { expression: "158 + 141" }),
      succeeded("sum", "calculate", "299"),
      started("book", "book", { seat: "2A", payments: [{ amount: 299, id: "card" }] }),
      ["log", {}],
      failed("book", "book", "total price is 375, but paid 299"),
      ["run.finished", {}],
      started("again", "book", {}),
      succeeded("again", "book", "HATHAT"),
    );
    expect(found).toMatchObject({ kind: "call", seq: 8, failure: { name: "book", code: "refused" } });
    const [amount, ...others] = found?.inputs ?? [];
    expect(amount).toMatchObject({ path: "payments[0].amount", value: 299, named: true });
    expect(amount?.source).toMatchObject({ kind: "call", call: { id: "sum" }, declared: false });
    expect(amount?.madeOf).toMatchObject([
      { value: "158", source: { kind: "call", call: { id: "get" }, path: "/0/price" } },
      { value: "141", source: { kind: "call", call: { id: "get" }, path: "/1/price" } },
    ]);
    expect(others.map(({ path, named, source }) => [path, named, source])).toEqual([
      ["seat", false, null],
      ["payments[0].id", false, null],
    ]);
    expect(found?.recovered?.id).toBe("again");
    expect(found?.ended?.status).toBe("finished");
  });

  test("takes sources of other values from inferred edges", () => {
    const place = { run_id: "run", iteration: 1, instance: "" };
    const found = report(
      4,
      [
        {
          from: { kind: "message", message_id: "m", seq: 1, role: "user" },
          to: { ...place, call_id: "book" },
          to_path: "/user",
          value: "ivan_7015",
        },
      ],
      ["message.created", { message_id: "m", role: "user", content: "I am ivan_7015" }],
      ["run.started", {}],
      started("book", "book", { user: "ivan_7015" }),
      failed("book", "book", "no seats"),
    );
    expect(found?.inputs).toMatchObject([{ path: "user", named: false, source: { kind: "message", seq: 1 } }]);
    expect(found?.recovered).toBeNull();
  });

  test("of a planned call names what it read, which call wrote that, and which calls never ran", () => {
    const calls: JsonObject[] = [
      { _tool: "deal.get", _id: "get", _outputPath: "†state.deal" },
      { _tool: "rate.get", _id: "rate", _outputPath: "†state.rate" },
      { _tool: "deal.pay", _id: "pay", amount: "†state.rate && †state.deal.amount", _outputPath: "†state.paid" },
      { _tool: "mail.send", _id: "mail", text: "†state.paid.text", _outputPath: "†state.mailed" },
      { _tool: "log.write", _id: "log", text: "†state.mailed" },
    ];
    const found = report(
      10,
      [],
      ["run.started", {}],
      ["plan.proposed", { iteration: 1, calls }],
      started("get", "deal.get", {}),
      succeeded("get", "deal.get", { amount: 5 }),
      ["state.written", { path: "†state.deal", value: { amount: 5 }, call_id: "get", iteration: 1 }],
      started("rate", "rate.get", {}),
      succeeded("rate", "rate.get", 2),
      ["state.written", { path: "†state.rate", value: 2, call_id: "rate", iteration: 1 }],
      started("pay", "deal.pay", { amount: 5 }),
      failed("pay", "deal.pay", "limit"),
      ["call.blocked", { call_id: "mail", tool: "mail.send", iteration: 1 }],
      ["run.failed", { error: "blocked" }],
    );
    expect(found?.inputs).toMatchObject([
      { path: "amount", source: { kind: "call", call: { id: "get" }, path: "†state.deal.amount", declared: true } },
    ]);
    expect(found?.state).toMatchObject([
      { path: "†state.rate", value: 2, write: { seq: 8, call_id: "rate" } },
      { path: "†state.deal.amount", value: 5, write: { seq: 5, call_id: "get" } },
    ]);
    expect(found?.unwritten).toEqual(["†state.paid"]);
    expect(found?.blocked.map(({ id, status }) => [id, status])).toEqual([
      ["mail", "blocked"],
      ["log", "planned"],
    ]);
    expect(found?.ended?.status).toBe("failed");
  });

  test("is also one of a run, a model, a plan, and of a call for a manager; of nothing else", () => {
    const kind = (type: string, payload: Json) => report(2, [], ["run.started", {}], [type, payload])?.kind ?? null;
    expect(kind("run.failed", { error: "lost" })).toBe("run");
    expect(kind("model.failed", { model: "m", provider: "p", error: "busy" })).toBe("model");
    expect(kind("plan.rejected", { iteration: 1, problems: [{ code: "cycle", message: "a needs a" }] })).toBe("plan");
    expect(kind("manager.alerted", { text: "help" })).toBe("alert");
    expect(kind("run.finished", {})).toBeNull();
    expect(kind("call.succeeded", { call_id: "a", tool: "t" })).toBeNull();
  });
});
