import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../event.ts";
import type { JsonObject } from "../json/json.ts";
import { anySession, session } from "../testing/events.ts";
import { EMPTY_MAP, MapBuilder, type SessionMap } from "./session-map.ts";

function mapOf(events: readonly SessionEvent[], from: SessionMap = EMPTY_MAP): SessionMap {
  const builder = new MapBuilder(from);
  for (const event of events) builder.add(event);
  return builder.map();
}

const user = (id: string, content: string) => ({ message_id: id, role: "user", content });
const of = (map: SessionMap) => map.calls.map(({ id, wave }) => [id, wave]);

describe("The session's map", () => {
  test("runs have the message that began them, their delegates and where a manager was called", () => {
    const map = mapOf(
      session(
        ["message.created", user("m1", "Book  the flight"), { run_id: null }],
        ["run.started", {}, { run_id: "a" }],
        ["call.started", { call_id: "ask", tool: "ask" }, { run_id: "a" }],
        ["run.started", { call_id: "ask", delegate: "helper" }, { run_id: "child", parent_run_id: "a" }],
        ["manager.alerted", { text: "Help" }, { run_id: "a" }],
        ["run.failed", { error: { code: "x", message: "No seats" } }, { run_id: "a" }],
        ["message.created", user("m2", "Try again"), { run_id: null }],
      ),
    );
    expect(map.runs).toMatchObject([
      {
        ...{ id: "a", parent: null, words: { seq: 1, text: "Book the flight" }, status: "failed", error: "No seats" },
        alerts: [{ seq: 5, text: "Help" }],
      },
      { id: "child", parent: { run_id: "a", call_id: "ask" }, delegate: "helper", words: null },
    ]);
    expect(map.said).toEqual({ seq: 7, text: "Try again" });
  });

  test("calls have their first parameters, their result in a few words, and why they failed", () => {
    const [get, book, mcp] = mapOf(
      session(
        ["run.started", {}],
        ["call.started", { call_id: "get", tool: "get", params: { id: "G72", deep: { on: true } } }],
        ["call.succeeded", { call_id: "get", tool: "get", output: [{ flight: "HAT097" }, { flight: "HAT251" }] }],
        ["call.started", { call_id: "book", tool: "book", params: {} }],
        ["call.failed", { call_id: "book", tool: "book", error: { code: "bad", message: "Paid 299" } }],
        ["call.started", { call_id: "mcp", tool: "mcp" }],
        ["call.succeeded", { call_id: "mcp", tool: "mcp", output: { content: [{ type: "text", text: "Sunny" }] } }],
      ),
    ).calls;
    expect(get).toMatchObject({
      ...{ status: "succeeded", started_seq: 2, ended_seq: 3 },
      input: {
        parts: [
          { name: "id", value: "G72" },
          { name: "on", value: "true" },
        ],
      },
      output: { count: 2, kind: "items", parts: [{ name: "flight", value: "HAT097" }, { value: "HAT251" }] },
    });
    expect(book).toMatchObject({ status: "failed", error: "Paid 299", output: null });
    expect(mcp?.output).toEqual({ parts: [{ name: "", value: "Sunny" }], count: null, kind: null });
  });

  test("calls are of one wave if they overlap, or if one answer of the model caused them", () => {
    const [a, b, c, d, e] = ["a", "b", "c", "d", "e"].map((call_id) => ({ call_id, tool: "t" }));
    const events = session(
      ["run.started", {}],
      ["model.responded", { model: "m", provider: "p" }, { id: "answer" }],
      ["call.started", a ?? {}, { caused_by: "answer" }],
      ["call.succeeded", a ?? {}],
      ["call.started", b ?? {}, { caused_by: "answer" }],
      ["call.succeeded", b ?? {}],
      ["call.started", c ?? {}],
      ["call.started", d ?? {}],
      ["call.succeeded", c ?? {}],
      ["call.succeeded", d ?? {}],
      ["call.started", e ?? {}],
    );
    expect(of(mapOf(events))).toEqual([
      ["a", 1],
      ["b", 1],
      ["c", 2],
      ["d", 2],
      ["e", 3],
    ]);
  });

  test("a call that reads what a running one writes is not of its wave", () => {
    const plan: JsonObject[] = [
      { _tool: "t", _id: "a", _outputPath: "†state.a" },
      { _tool: "t", _id: "b" },
      { _tool: "t", _id: "c", of: "†state.a" },
    ];
    const start = (call_id: string) => ({ call_id, tool: "t", iteration: 1 });
    const map = mapOf(
      session(
        ["run.started", {}],
        ["plan.proposed", { iteration: 1, calls: plan }],
        ["call.started", start("a")],
        ["call.started", start("b")],
        ["call.succeeded", start("a")],
        ["call.started", start("c")],
      ),
    );
    expect(of(map)).toEqual([
      ["a", 1],
      ["b", 1],
      ["c", 2],
    ]);
    expect(map.edges).toEqual([{ run_id: "run", iteration: 1, from: "a", to: "c", path: "†state.a" }]);
  });

  test("E15: paths that an agent declares are edges, from the newest writer", () => {
    const { edges } = mapOf(
      session(
        ["run.started", {}],
        ["call.started", { call_id: "old", tool: "t", output_path: "deal" }],
        ["call.started", { call_id: "new", tool: "t", output_path: "†state.deal" }],
        ["call.started", { call_id: "read", tool: "t", reads: ["†state.deal.sum", "other"] }],
      ),
    );
    expect(edges).toEqual([{ run_id: "run", iteration: 1, from: "new", to: "read", path: "†state.deal.sum" }]);
  });

  test("a decided call says so until its agent goes on", () => {
    const call = { call_id: "pay", tool: "pay" };
    const events = session(
      ["run.started", {}],
      ["call.parked", call],
      ["confirmation.approved", { confirmation_id: "c", call_id: "pay" }],
      ["call.started", call],
    );
    expect(mapOf(events.slice(0, 3)).calls).toMatchObject([{ status: "parked", decision: "approved", parked_seq: 2 }]);
    expect(mapOf(events).calls).toMatchObject([{ status: "running", decision: null, started_seq: 4 }]);
  });

  test("a map that is continued is the map of all events, and what does not change keeps its identity", () => {
    fc.assert(
      fc.property(anySession, fc.nat(), (events, cut) => {
        const at = cut % (events.length + 1);
        const before: SessionMap = JSON.parse(JSON.stringify(mapOf(events.slice(0, at))));
        expect(mapOf(events.slice(at), before)).toEqual(mapOf(events));
      }),
    );
    const events = session(
      ["run.started", {}],
      ["call.started", { call_id: "a", tool: "t" }],
      ["call.succeeded", { call_id: "a", tool: "t" }],
    );
    const before = mapOf(events);
    const after = mapOf(
      session(
        ["run.started", {}, { run_id: "other" }],
        ["call.started", { call_id: "b", tool: "t" }, { run_id: "other" }],
      ),
      before,
    );
    expect(after.calls[0]).toBe(before.calls[0]);
    expect(after.runs[0]).toBe(before.runs[0]);
  });
});
