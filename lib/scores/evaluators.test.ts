import { describe, expect, it } from "vitest";
import { session } from "../session/testing/events.ts";
import { type Evaluator, evaluateTurn } from "./evaluators.ts";

const TURN = session(
  ["run.started", {}],
  ["call.started", { call_id: "a", tool: "orders.get" }],
  ["state.written", { path: "†state.order", value: { status: "paid", items: [1] } }],
  ["call.started", { call_id: "b", tool: "payments.refund" }],
  ["model.responded", { model: "writer", provider: "p", input_tokens: 1_000, output_tokens: 500 }],
  ["run.finished", {}],
);
const PRICES = { writer: { input: 10, output: 20, currency: "EUR" } };

const say = (rule: Evaluator, prices = PRICES) =>
  evaluateTurn([rule], TURN, prices).map(({ value, comment }) => [value, comment]);

describe("evaluators", () => {
  it("say whether a tool was called, and before which other", () => {
    const called = { name: "n", rule: "called" } as const;
    expect(say({ ...called, tool: "orders.get" })).toEqual([[true, null]]);
    expect(say({ ...called, tool: "orders.cancel" })).toEqual([[false, null]]);
    expect(say({ ...called, tool: "orders.get", before: "payments.refund" })).toEqual([[true, null]]);
    expect(say({ ...called, tool: "payments.refund", before: "orders.get" })).toEqual([[false, null]]);
    expect(say({ ...called, tool: "orders.get", before: "orders.cancel" })).toEqual([]);
  });

  it("compare what a turn left in the state, at a path or below a written one", () => {
    const state = { name: "n", rule: "state" } as const;
    expect(say({ ...state, path: "order.status", equals: "paid" })).toEqual([[true, null]]);
    expect(say({ ...state, path: "†state.order", equals: { items: [1], status: "paid" } })).toEqual([[true, null]]);
    expect(say({ ...state, path: "order.status", equals: "open" })).toEqual([[false, null]]);
    expect(say({ ...state, path: "customer", equals: 1 })).toEqual([]);
  });

  it("compare time and cost, where they are known", () => {
    expect(say({ name: "n", rule: "latency", seconds: 5 })).toEqual([[true, "5.0 s"]]);
    expect(say({ name: "n", rule: "latency", seconds: 4.9 })).toEqual([[false, "5.0 s"]]);
    const cost = { name: "n", rule: "cost", amount: 0.01, currency: "EUR" } as const;
    expect(say(cost)).toEqual([[false, "0.02 EUR"]]);
    expect(say({ ...cost, currency: "USD" })).toEqual([]);
    expect(evaluateTurn([cost], TURN, {})).toEqual([]);
  });

  it("score the run, of their agent only", () => {
    const rule = { name: "n", rule: "called", tool: "orders.get" } as const;
    expect(evaluateTurn([rule], TURN, {})).toMatchObject([{ name: "n", run_id: "run", seq: null, call_id: null }]);
    expect(evaluateTurn([{ ...rule, agent: "support" }], TURN, {})).toEqual([]);
  });
});
