import { describe, expect, test } from "vitest";
import type { SessionEvent } from "./event.ts";
import { decodeTimeline, rowOf } from "./timeline.ts";

function eventOf(fields: Partial<SessionEvent>): SessionEvent {
  const ids = { id: "e2", conversation_id: "c", run_id: "r", parent_run_id: null, agent_id: null, caused_by: "e1" };
  const times = { occurred_at: "2026-11-25T10:00:00.000Z", recorded_at: "2026-11-25T10:00:00.000Z" };
  return { ...ids, ...times, seq: 2, position: 2, type: "call.started", actor: "tool:crm", payload: null, ...fields };
}

const earlier = { seqOf: (id: string) => (id === "e1" ? 1 : null), iterationOf: () => 3, speakerOf: () => "clerk" };

describe("C5: slim rows", () => {
  test("an event that arrives live gives the row that the API gives for it later", () => {
    const event = eventOf({ payload: { call_id: "a", iteration: 2, instance: "x", tool: "crm.deal.get", params: {} } });
    const [row] = decodeTimeline({
      after: 1,
      last: 2,
      tables: {
        type: ["call.started"],
        actor: ["tool:crm"],
        agent: ["clerk"],
        run: ["r"],
        call: [{ run: 0, iteration: 2, instance: "x", id: "a", tool: "crm.deal.get" }],
      },
      seq: [2],
      time: [Date.parse("2026-11-25T10:00:00.000Z")],
      type: [0],
      actor: [0],
      agent: [0],
      run: [0],
      call: [0],
      cause: [1],
      error: [0],
    });
    expect(rowOf(event, earlier)).toEqual(row);
  });

  test("what the source does not tell is absent, not zero", () => {
    const event = eventOf({ type: "log", run_id: null, actor: null, caused_by: null, occurred_at: null });
    const absent = { time: null, actor: null, agent: null, run: null, call: null, cause: null };
    expect(rowOf(event, { ...earlier, speakerOf: () => null })).toMatchObject(absent);
    const tables = { type: ["log"], actor: [], agent: [], run: [], call: [] };
    const columns = {
      after: 0,
      last: 1,
      tables,
      seq: [1],
      time: [null],
      type: [0],
      actor: [-1],
      agent: [-1],
      run: [-1],
      call: [-1],
      cause: [0],
      error: [0],
    };
    expect(decodeTimeline(columns)).toMatchObject([absent]);
  });

  test("a call that names no iteration belongs to its run's", () => {
    expect(rowOf(eventOf({ payload: { call_id: "a", tool: "t" } }), earlier).call?.iteration).toBe(3);
  });

  test("D1: a step is its own agent's, else the one's who speaks in its run, else that of its actor", () => {
    const agentOf = (fields: Partial<SessionEvent>, speaking: string | null) =>
      rowOf(eventOf(fields), { ...earlier, speakerOf: () => speaking }).agent;
    expect(agentOf({ agent_id: "auditor", actor: "agent:clerk" }, "seller")).toBe("auditor");
    expect(agentOf({ actor: "agent:clerk" }, "seller")).toBe("seller");
    expect(agentOf({ actor: "agent:clerk" }, null)).toBe("clerk");
    expect(agentOf({ actor: "tool:crm" }, null)).toBeNull();
    const handedOver = { type: "run.iteration", agent_id: "seller", payload: { speaker: { agent_id: "closer" } } };
    expect(agentOf(handedOver, "seller")).toBe("closer");
  });

  test("a delegate's run does not count as a step of the call it carries out", () => {
    expect(rowOf(eventOf({ type: "run.started", payload: { call_id: "a" } }), earlier).call).toBeNull();
  });
});
