import { describe, expect, it } from "vitest";
import type { SessionEvent } from "../../session/event.ts";
import type { Json } from "../../session/json/json.ts";
import { emptySession, fold } from "../../session/reducer/reducer.ts";
import { toView } from "../../session/view.ts";
import { NOWHERE } from "../user-location.ts";
import { type Surroundings, sessionContext } from "./session-context.ts";

const NOTHING: Surroundings = { place: NOWHERE, agent: undefined, memory: null };

/** The context after these events, by default in a run "r". */
function known(events: [type: string, payload: Json, run?: string | null][], surroundings: Partial<Surroundings> = {}) {
  const recorded = events.map(
    ([type, payload, run_id = "r"], index): SessionEvent => ({
      ...{ id: `e${index}`, conversation_id: "c", seq: index + 1, position: index + 1, type, payload, run_id },
      ...{ actor: null, agent_id: null, parent_run_id: null, caused_by: null },
      ...{ occurred_at: null, recorded_at: "2026-05-01T10:00:00.000Z" },
    }),
  );
  return sessionContext(toView(fold(emptySession("c"), recorded), recorded.length), { ...NOTHING, ...surroundings });
}

const write = (path: string, value: Json, more: object = {}): [string, Json] => [
  "state.written",
  { path, value, ...more },
];

describe("H1: a session's context for a prompt", () => {
  it("is empty for an empty session", () => {
    expect(known([])).toMatchObject({ user_id: null, household_id: null, timezone: null, memory: null });
    expect(known([]).state).toBeUndefined();
  });

  it("has its user, with the time zone and household of its creation, else its agent's zone", () => {
    const place = { timezone: "Asia/Kolkata", household_id: "h-7" };
    const created = { user_id: "anna", metadata: { ...place } };
    const agent = { timezone: "Europe/Moscow" };
    expect(known([["conversation.created", created, null]], { place, agent })).toMatchObject({
      ...{ user_id: "anna", household_id: "h-7", timezone: "Asia/Kolkata" },
    });
    expect(known([], { agent }).timezone).toBe("Europe/Moscow");
  });

  it("has the state of its newest run, with the calls whose results are in it", () => {
    const first = write("†state.a", 1, { call_id: "c1" });
    const second = write("†state.b", 2, { call_id: "c2" });
    const session = known([
      ["run.started", {}],
      first,
      ["run.started", {}, "r2"],
      [...second, "r2"],
      [...write("†state.c", 3), "r2"],
    ]);
    expect(session).toMatchObject({ state: { b: 2, c: 3 }, state_calls: ["c2"] });
    expect(known([["run.started", {}]]).state).toEqual({});
  });

  it("has the state of instances by name, if the run has none of its own", () => {
    const session = known([
      ["run.started", {}],
      write("†state.a", 1, { instance: "①" }),
      write("†state.a", 2, { instance: "②" }),
    ]);
    expect(session.state).toEqual({ "①": { a: 1 }, "②": { a: 2 } });
  });

  it("has the memory, shortened, its summary, and its self-check, if it is valid", () => {
    const updated: [string, Json] = ["memory.updated", { delta: [{ op: "add", path: "", value: { goals: ["a"] } }] }];
    expect(known([updated])).toMatchObject({ memory: { goals: ["a"] }, state_summary: undefined, warnings: undefined });
    const memory = { document: { goals: ["cut"] }, summary: "Goals", warnings: ["No goals"] };
    expect(known([updated], { memory })).toMatchObject({
      ...{ memory: { goals: ["cut"] }, state_summary: "Goals", warnings: ["No goals"] },
    });
  });
});
