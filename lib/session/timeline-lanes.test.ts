import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TimelineRow } from "./timeline.ts";
import { LanesBuilder } from "./timeline-lanes.ts";
import { callNamed, row } from "./timeline-test-rows.ts";

function lanesOf(rows: TimelineRow[]) {
  return new LanesBuilder().add(rows);
}

describe("C5: lanes show what ran, in parallel and for how long", () => {
  test("calls side by side lie in different tracks, calls in turn share one", () => {
    const [a, b, c] = ["a", "b", "c"].map((id) => callNamed(id));
    const lanes = lanesOf([
      row(1, "call.started", { call: a }),
      row(2, "call.started", { call: b }),
      row(3, "call.succeeded", { call: a }),
      row(4, "call.started", { call: c }),
    ]);
    expect(lanes.tools.map(({ from, to, track }) => [from, to, track])).toEqual([
      [1, 3, 0],
      [2, null, 1],
      [4, null, 0],
    ]);
  });

  test("a retry keeps both tries and the pause between them in one bar", () => {
    const call = callNamed("a");
    const lanes = lanesOf([
      row(1, "call.started", { call }),
      row(2, "call.retried", { call }),
      row(3, "call.started", { call }),
      row(4, "call.succeeded", { call }),
    ]);
    expect(lanes.tools).toMatchObject([{ from: 1, to: 4, failed: false, tries: [{ brokeOff: 2, again: 3 }] }]);
  });

  test("an approval runs from the question to the answer and is asked once", () => {
    const call = callNamed("a");
    const asked = [row(1, "confirmation.requested", { call }), row(2, "call.parked", { call })];
    expect(lanesOf(asked).approvals).toEqual([{ from: 1, to: null, tool: "tool.a", denied: false }]);
    expect(lanesOf([...asked, row(3, "confirmation.denied", { call })]).approvals).toMatchObject([
      { from: 1, to: 3, denied: true },
    ]);
  });

  test("an answer that becomes a plan is told from one that becomes a message", () => {
    const lanes = lanesOf(
      [
        "model.requested",
        "model.responded",
        "plan.proposed",
        "model.requested",
        "model.responded",
        "message.created",
      ].map((type, i) => row(i + 1, type, { run: "r", actor: "agent:a" })),
    );
    expect(lanes.model.map(({ outcome }) => outcome)).toEqual(["plan", "answer"]);
  });

  test("a delegate's run within a turn is not counted as a turn, the next turn is", () => {
    const lanes = lanesOf([
      row(1, "message.created", { actor: "user:alice" }),
      row(2, "run.started", { run: "r1" }),
      row(3, "run.started", { run: "d1" }),
      row(4, "run.finished", { run: "d1" }),
      row(5, "message.created", { actor: "user:alice" }),
      row(6, "run.started", { run: "r2" }),
    ]);
    expect(lanes.user).toEqual([1, 5]);
    expect(lanes.agent.map(({ run, number, to }) => [run, number, to])).toEqual([
      ["r1", 1, null],
      ["d1", 0, 4],
      ["r2", 2, null],
    ]);
  });

  test("rows added one by one give the same lanes as all at once", () => {
    const types = [
      "call.started",
      "call.succeeded",
      "call.retried",
      "call.parked",
      "run.started",
      "run.finished",
      "model.requested",
      "model.responded",
      "message.created",
      "confirmation.requested",
      "confirmation.approved",
    ];
    const logs = fc.array(
      fc.record({
        type: fc.constantFrom(...types),
        id: fc.constantFrom("a", "b", "c"),
        run: fc.constantFrom("r", "s"),
      }),
    );
    fc.assert(
      fc.property(logs, (log) => {
        const rows = log.map(({ type, id, run }, i) => row(i + 1, type, { run, call: callNamed(id) }));
        const grown = new LanesBuilder();
        for (const one of rows) grown.add([one]);
        expect(grown.lanes).toEqual(lanesOf(rows));
      }),
    );
  });
});
