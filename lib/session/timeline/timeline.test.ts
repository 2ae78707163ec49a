import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../event.ts";
import { stepOf } from "../events/event-index-columns.ts";
import { EVENT_KINDS } from "../events/kinds.ts";
import { anySession, event, session } from "../testing/events.ts";
import { timelineOf } from "../testing/timeline.ts";
import { type RowChange, RowMaker, withChanges } from "./rows.ts";
import { decodeTimeline, type TimelineRow } from "./timeline.ts";

/** The rows after a reload. */
function loaded(events: readonly SessionEvent[]): readonly TimelineRow[] {
  return decodeTimeline(timelineOf(events.map(stepOf)));
}

/** The rows of a client that loaded some and received the rest live. */
function heard(events: readonly SessionEvent[], known: number): readonly TimelineRow[] {
  const columns = timelineOf(events.slice(0, known).map(stepOf));
  const rows = decodeTimeline(columns);
  const seqs = new Map(events.slice(0, known).map(({ id, seq }) => [id, seq]));
  const maker = RowMaker.after(columns, rows, (id) => seqs.get(id) ?? null);
  const added = events.slice(known).map((one) => maker.add(stepOf(one)));
  return withChanges(
    [...rows, ...added.map(({ row }) => row)],
    added.flatMap((one): RowChange[] => one.changes),
  );
}

describe("C5: a live step has the same row as a loaded one", () => {
  const failed = { code: "x", message: "y" };
  const place = { call_id: "a", tool: "t", instance: "①", iteration: 2 };
  const payload = {
    ...place,
    error: failed,
    delegate: "d",
    confirmation_id: "k",
    agent_id: "x",
    action: { method: "m" },
  };

  test.each(Object.keys(EVENT_KINDS))("%s", (type) => {
    const events = session(
      ["run.started", {}, { agent_id: "clerk" }],
      ["run.iteration", { speaker: { agent_id: "seller" } }],
      [type, payload, { caused_by: "e1" }],
      [type, { ...payload, handled: true }, { run_id: "child", parent_run_id: "run", caused_by: "e5" }],
      ["model.requested", {}],
    );
    for (let known = 0; known < events.length; known += 1) expect(heard(events, known)).toEqual(loaded(events));
  });

  test("in any session, loaded up to any step", () => {
    const causes = fc.array(fc.option(fc.integer({ min: 1, max: 60 })), { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(anySession, causes, fc.nat(60), (events, told, place) => {
        const known = Math.min(place, events.length);
        const all = events.map((one, i) => ({ ...one, caused_by: told[i] == null ? null : `e${told[i]}` }));
        expect(heard(all, known)).toEqual(loaded(all));
      }),
    );
  });
});

describe("C5: slim rows", () => {
  const last = (...steps: Parameters<typeof session>) => loaded(session(...steps)).at(-1);

  test("missing values are absent, not zero", () => {
    const absent = { time: null, actor: null, agent: null, run: null, call: null, cause: null };
    expect(loaded([event(1, "log", "x", { run_id: null, occurred_at: null })])).toMatchObject([absent]);
  });

  test("a call without an iteration belongs to its run's", () => {
    expect(
      last(["run.iteration", { iteration: 3 }], ["call.started", { call_id: "a", tool: "t" }])?.call?.iteration,
    ).toBe(3);
  });

  test("D1: a step is its own agent's, else the current speaker's of its run, else its actor's", () => {
    const started: Parameters<typeof session>[number] = ["run.started", {}, { agent_id: "seller" }];
    expect(last(started, ["log", 1, { agent_id: "auditor", actor: "agent:clerk" }])?.agent).toBe("auditor");
    expect(last(started, ["log", 1, { actor: "agent:clerk" }])?.agent).toBe("seller");
    expect(last(["log", 1, { actor: "agent:clerk" }])?.agent).toBe("clerk");
    expect(last(["log", 1, { actor: "tool:crm" }])?.agent).toBeNull();
    const handedOver = { speaker: { agent_id: "closer" } };
    expect(last(started, ["run.iteration", handedOver, { agent_id: "seller" }])?.agent).toBe("closer");
  });

  test("a delegate's run does not count as a step of the call it executes", () => {
    expect(last(["run.started", { call_id: "a" }])?.call).toBeNull();
  });

  test("a failure that was recovered from is no longer an error", () => {
    const rows = loaded(session(["model.failed", {}], ["model.requested", {}]));
    expect(rows.map(({ error }) => error)).toEqual([false, false]);
  });
});
