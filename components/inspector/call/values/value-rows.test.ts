import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { demoConversations } from "@/demo/sessions/demo.ts";
import { stored } from "@/lib/intake/testing/stored.ts";
import type { SessionEvent } from "@/lib/session/event.ts";
import { failureReport } from "@/lib/session/failure/report.ts";
import { EdgeInference, type InferredEdge } from "@/lib/session/find/inferred-edges.ts";
import type { Json } from "@/lib/session/json/json.ts";
import { emptySession, fold } from "@/lib/session/reducer/reducer.ts";
import type { Session } from "@/lib/session/session.ts";
import { anySession, session } from "@/lib/session/testing/events.ts";
import { type ValueSource, ValueSources } from "@/lib/session/values/value-sources.ts";
import { readerRows, sourceRows, type ValueRow } from "./value-rows.ts";

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

function said(end: ValueSource): string {
  if (end.kind === "call") return `${end.call.id} ${end.path}${end.declared ? " declared" : ""}`;
  return end.kind === "message" ? `message ${end.seq}` : end.path;
}

function lines(rows: readonly ValueRow[]): string[] {
  return rows.map(
    ({ path, value, ends, named }) => `${path} ${value ?? "–"}: ${ends.map(said).join(", ")}${named ? " (named)" : ""}`,
  );
}

function read(step: number, rowsOf: typeof sourceRows, id: string): string[] {
  const seen = at(step);
  const call = [...seen.calls.values()].find((one) => one.id === id);
  return call ? lines(rowsOf(new ValueSources(seen, EDGES), call)) : [];
}

describe("E15: where a call's values came from, and who used them", () => {
  test("the value that the error names is first; declared paths are told apart", () =>
    expect(read(6, sourceRows, "pay")).toEqual([
      "amount 299: get sum (named)",
      "†state.order.sum –: get †state.order.sum declared",
      "id W7741: message 1",
    ]));

  test("the other way", () =>
    expect(read(6, readerRows, "get")).toEqual([
      "†state.order.sum –: pay †state.order.sum declared",
      "sum 299: pay amount",
    ]));

  test("at a past step, only what has happened", () => {
    expect(read(4, readerRows, "get")).toEqual([]);
    expect(read(5, readerRows, "get")).toHaveLength(2);
    expect(read(5, sourceRows, "pay")).toEqual([
      "†state.order.sum –: get †state.order.sum declared",
      "id W7741: message 1",
      "amount 299: get sum",
    ]);
  });
});

/** Of each failed call: what its card says of each value, and what the inspector says of it at that step and later. */
function compared(events: readonly SessionEvent[]) {
  const inference = new EdgeInference();
  for (const event of events) inference.add(event);
  const begin = emptySession(events[0]?.conversation_id ?? "c");
  const now = fold(begin, events);
  let count = 0;
  for (const [index, event] of events.entries()) {
    if (event.type !== "call.failed") continue;
    const then = fold(begin, events.slice(0, index + 1));
    const report = failureReport(event, then, now, inference.edges);
    if (!report?.call) continue;
    const rows = lines(sourceRows(new ValueSources(then, inference.edges), report.call));
    const inSession = [...now.calls.values()].find((one) => one.started_seq === report.call?.started_seq);
    if (inSession?.ended_seq === event.seq)
      expect(lines(sourceRows(new ValueSources(now, inference.edges), inSession))).toEqual(rows);
    for (const { source } of report.inputs) {
      // A path stands beside the value in the inspector's tree.
      if (source === null || source.kind === "path") continue;
      count++;
      const shown = source.kind === "call" ? said(source).replace(/ \//u, " ") : said(source);
      expect(rows.some((row) => row.includes(`: ${shown}`) || row.includes(`, ${shown}`))).toBe(true);
    }
    // Nothing is in the inspector only, but paths of which no value is known.
    if (report.inputs.every(({ source }) => source === null || source.kind === "path"))
      expect(rows.filter((row) => !row.startsWith("†"))).toEqual([]);
  }
  return count;
}

describe("the inspector and the card of a failure say the same", () => {
  test("of the demo's sessions", () => {
    const counts = demoConversations(new Date("2026-11-21T15:12:20.000Z"), "en").map(({ events }) =>
      compared(stored(events)),
    );
    expect(counts.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(0);
  });

  test("of any session", () => {
    fc.assert(
      fc.property(anySession, (events) => {
        compared(events);
      }),
    );
  });
});
