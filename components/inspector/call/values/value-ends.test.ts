import { describe, expect, test } from "vitest";
import type { InferredEdge } from "@/lib/session/find/inferred-edges.ts";
import type { Json } from "@/lib/session/json/json.ts";
import { emptySession, fold } from "@/lib/session/reducer/reducer.ts";
import type { Session } from "@/lib/session/session.ts";
import { session } from "@/lib/session/testing/events.ts";
import { sourcesOf, usesOf, type ValueRow } from "./value-ends.ts";

type Told = [type: string, payload: Json];

const TALK: Told[] = [
  ["message.created", { message_id: "m", role: "user", content: "W7741" }],
  ["run.started", {}],
  ["call.started", { call_id: "get", tool: "get", iteration: 1, params: {}, output_path: "†state.order" }],
  ["call.succeeded", { call_id: "get", tool: "get", iteration: 1, output: { total: 375, sum: 299 } }],
  ["call.started", { call_id: "pay", tool: "pay", iteration: 1, params: {}, reads: ["†state.order.sum"] }],
  [
    "call.failed",
    { call_id: "pay", tool: "pay", iteration: 1, error: { code: "refused", message: "Paid 299, not 2990" } },
  ],
];

const place = (call_id: string) => ({ run_id: "run", iteration: 1, instance: "", call_id });
const EDGES: InferredEdge[] = [
  {
    from: { kind: "message", message_id: "m", seq: 1, role: "user" },
    to: place("pay"),
    to_path: "/id",
    value: "W7741",
  },
  { from: { kind: "call", call: place("get"), path: "/sum" }, to: place("pay"), to_path: "/amount", value: "299" },
];

function at(step: number): Session {
  return fold(emptySession("c"), session(...TALK.slice(0, step)));
}

function lines(rows: readonly ValueRow[]): string[] {
  return rows.map(({ path, value, ends, named }) => {
    const shown = ends.map((end) =>
      end.kind === "message" ? `message ${end.seq}` : `${end.call.id} ${end.path}${end.declared ? " declared" : ""}`,
    );
    return `${path} ${value ?? "–"}: ${shown.join(", ")}${named ? " (named)" : ""}`;
  });
}

function read(step: number, kind: typeof sourcesOf, id: string): string[] {
  const seen = at(step);
  const call = [...seen.calls.values()].find((one) => one.id === id);
  return call ? lines(kind(seen, call, EDGES)) : [];
}

describe("E15: where a call's values came from, and who used them", () => {
  test("the value that the error names is first; declared paths are told apart", () =>
    expect(read(6, sourcesOf, "pay")).toEqual([
      "amount 299: get sum (named)",
      "†state.order.sum –: get †state.order.sum declared",
      "id W7741: message 1",
    ]));

  test("the other way", () =>
    expect(read(6, usesOf, "get")).toEqual([
      "†state.order.sum –: pay †state.order.sum declared",
      "sum 299: pay amount",
    ]));

  test("at a past step, only what has happened", () => {
    expect(read(4, usesOf, "get")).toEqual([]);
    expect(read(5, usesOf, "get")).toHaveLength(2);
    expect(read(5, sourcesOf, "pay")).toEqual([
      "†state.order.sum –: get †state.order.sum declared",
      "id W7741: message 1",
      "amount 299: get sum",
    ]);
  });
});
