import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../session/json/json.ts";
import { addCounts, isEmpty, noCounts, type Part } from "./counts.ts";
import { emptyRollup, foldRollup, Parts, type RolledEvent, readRollup, writeRollup } from "./fold.ts";
import { HOUR_MS } from "./place.ts";

const BEGIN = 500_000 * HOUR_MS;

type Step = [type: string, at: number, more?: Partial<RolledEvent>];

function steps(...all: Step[]): RolledEvent[] {
  return all.map(([type, at, more], index) => ({
    ...{ seq: index + 1, type, at: BEGIN + at, agent_id: "a", run_id: "r", parent_run_id: null },
    ...{ call_id: null, iteration: null, instance: null, tool: null, error: false, payload: null },
    ...more,
  }));
}

/** What the events add, by hour and series; `cut` reads the state back from text before these steps. */
function counted(events: readonly RolledEvent[], cut: ReadonlySet<number> = new Set()): Record<string, Part> {
  let state = emptyRollup();
  const parts = new Parts();
  for (const event of events) {
    if (cut.has(event.seq)) state = readRollup(writeRollup(state));
    foldRollup(state, event, parts);
  }
  return Object.fromEntries(
    parts
      .all()
      .filter(({ part }) => !isEmpty(part))
      .map(({ hour, series, part }) => [
        `${hour - BEGIN / HOUR_MS} ${series.kind} ${series.agent} ${series.version} ${series.model} ${series.tool}`,
        part,
      ])
      .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
  );
}

const call = (call_id: string, more: Partial<RolledEvent> = {}) => ({ call_id, tool: "pay", ...more });
const model = (payload: Json) => ({ payload });

const TURN = steps(
  ["conversation.created", 0, { payload: { channel: "web", agent_id: "a" }, run_id: null }],
  ["run.started", 10, { payload: { agent_version: "2" } }],
  ["model.requested", 20],
  ["model.responded", 1_020, model({ model: "m", input_tokens: 5, output_tokens: 2 })],
  ["call.started", 1_100, call("c")],
  ["call.failed", 1_400, call("c", { error: true })],
  ["confirmation.requested", 2_000, { payload: { confirmation_id: "k", action: { method: "pay", params: {} } } }],
  ["confirmation.approved", 62_000, { payload: { confirmation_id: "k" } }],
  ["manager.alerted", 62_000],
  ["manager.alerted", 62_500],
  ["run.failed", 63_000],
);

describe("what a conversation adds to the rollup", () => {
  test("its beginning, turns, calls and requests, each once, under the version and the model of the turn", () => {
    expect(counted(TURN)).toMatchObject({
      "0 call a 2 m pay": { count: 1, failed: 1, longest: 300, longest_seq: 6 },
      "0 model a 2 m ": { count: 1, input_tokens: 5, output_tokens: 2, unreported: 0 },
      "0 turn a 2 m ": { began: 1, count: 1, failed: 1, escalated: 1 },
    });
    // 60 of the 63 seconds waited for a person.
    expect(counted(TURN)["0 turn a 2 m "]?.longest).toBe(2_990);
  });

  test("does not depend on where reading it was interrupted", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: TURN.length })), (cuts) => {
        expect(counted(TURN, new Set(cuts))).toEqual(counted(TURN));
      }),
    );
  });

  test("in any part of it, subtracting what was added leaves nothing", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: TURN.length }), (length) => {
        const sum = noCounts();
        const parts = Object.values(counted(TURN.slice(0, length)));
        for (const part of parts) addCounts(sum, part);
        for (const part of parts.reverse()) addCounts(sum, part, -1);
        expect(isEmpty(sum)).toBe(true);
      }),
    );
  });

  test("turns and calls count in the hour in which they began, of a long conversation each in its own", () => {
    const later = steps(
      ["run.started", 0],
      ["run.finished", 100],
      ["run.started", 5 * HOUR_MS - 50, { run_id: "next" }],
      ["run.finished", 5 * HOUR_MS + 900, { run_id: "next" }],
    );
    expect(Object.entries(counted(later)).map(([key, { began, count }]) => [key, began, count])).toEqual([
      ["0 turn a   ", 1, 1],
      ["4 turn a   ", 0, 1],
    ]);
  });

  test("handled failures are no failures, retries are one call, skipped calls none", () => {
    const events = steps(
      ["run.started", 0],
      ["call.started", 0, call("c")],
      ["call.retried", 10, call("c")],
      ["call.started", 20, call("c")],
      ["call.failed", 100, call("c", { error: false })],
      ["call.started", 100, call("d")],
      ["call.skipped", 120, call("d")],
    );
    expect(counted(events)["0 call a   pay"]).toMatchObject({ count: 1, failed: 0, longest: 100 });
  });

  test("ids and tools may have any name, and times any value", () => {
    const events = steps(
      ["run.started", 0, { run_id: "__proto__" }],
      ["call.started", 0, { run_id: "__proto__", call_id: "constructor", tool: "__proto__" }],
      ["call.succeeded", 5, { run_id: "__proto__", call_id: "constructor", tool: "__proto__" }],
      ["run.finished", 9, { run_id: "__proto__" }],
      ["run.finished", -BEGIN - 1e15],
    );
    expect(counted(events, new Set([2, 3, 4]))).toMatchObject({
      "0 call a   __proto__": { count: 1 },
      "0 turn a   ": { count: 1 },
    });
  });
});
