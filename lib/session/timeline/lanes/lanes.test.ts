import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { callNamed, row } from "../../testing/timeline-rows.ts";
import type { TimelineRow } from "../timeline.ts";
import { LanesBuilder } from "./lanes.ts";

function lanesOf(rows: TimelineRow[]) {
  return new LanesBuilder().add(rows);
}

describe("C5: lanes show what ran, concurrently and for how long", () => {
  test("concurrent calls are in different tracks, sequential ones share one", () => {
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

  test("a retry has both attempts and the pause between them in one bar", () => {
    const call = callNamed("a");
    const lanes = lanesOf([
      row(1, "call.started", { call }),
      row(2, "call.retried", { call }),
      row(3, "call.started", { call }),
      row(4, "call.succeeded", { call }),
    ]);
    expect(lanes.tools).toMatchObject([{ from: 1, to: 4, failed: false, tries: [{ brokeOff: 2, again: 3 }] }]);
  });

  test("an approval lasts from the request to the decision and is there once", () => {
    const call = callNamed("a");
    const asked = [row(1, "confirmation.requested", { call }), row(2, "call.parked", { call })];
    expect(lanesOf(asked).approvals).toEqual([{ from: 1, to: null, tool: "tool.a", outcome: "open" }]);
    expect(lanesOf([...asked, row(3, "confirmation.denied", { call })]).approvals).toMatchObject([
      { from: 1, to: 3, outcome: "denied" },
    ]);
  });

  test("E9: what a fork closed lasts to the end of the source's history, not until the fork", () => {
    const call = callNamed("a");
    const made = { cause: 4, actor: "system" };
    const lanes = lanesOf([
      row(1, "run.started", { run: "r" }),
      row(2, "call.started", { call, run: "r" }),
      row(3, "call.failed", { call: callNamed("b"), run: "r" }),
      row(4, "conversation.created"),
      row(5, "call.cancelled", { call, run: "r", ...made }),
      row(6, "run.cancelled", { run: "r", ...made }),
    ]);
    expect(lanes.tools[0]).toMatchObject({ from: 2, to: 3, failed: false });
    expect(lanes.agent).toMatchObject([{ from: 1, to: 3, failed: false }]);
  });

  test("E9, P24: an approval without a decision is closed: by a fork, by the end of its run, by its agent", () => {
    const call = callNamed("a");
    const closed = (...end: TimelineRow[]) =>
      lanesOf([row(1, "confirmation.requested", { call }), row(2, "call.parked", { call }), ...end]).approvals[0]
        ?.outcome;
    const system = { call, actor: "system" };
    expect(closed(row(3, "conversation.created"), row(4, "confirmation.denied", { ...system, cause: 3 }))).toBe(
      "forked",
    );
    expect(closed(row(3, "confirmation.denied", system), row(4, "call.cancelled", { call }))).toBe("closed");
    expect(closed(row(3, "call.cancelled", { call }))).toBe("closed");
    expect(closed(row(3, "call.started", { call }))).toBe("approved");
  });

  test("a response with a plan differs from one with a message", () => {
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

  test("a delegate's run is not counted as a turn", () => {
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

  test("each agent has a lane: of a run with several speakers, of its calls, and a delegate's within it", () => {
    const call = callNamed("a");
    const by = (agent: string, run = "r") => ({ agent, run });
    const lanes = lanesOf([
      row(1, "run.started", by("router")),
      row(2, "model.requested", by("router")),
      row(3, "model.responded", by("router")),
      row(4, "run.iteration", by("seller")),
      row(5, "call.started", { ...by("seller"), call }),
      row(6, "run.started", by("seller", "d")),
      row(7, "run.failed", by("seller", "d")),
      row(8, "call.succeeded", { ...by("seller"), call }),
      row(9, "run.iteration", by("seller")),
      row(10, "run.finished", by("seller")),
    ]);
    const facts = lanes.byAgent.map(({ agent, lane, turns, model, tools }) => ({
      agent,
      lane,
      turns: turns.map(({ from, to, number, isWithin, failed }) => ({ from, to, number, isWithin, failed })),
      model: model.length,
      tools: tools.map(({ from, to }) => [from, to]),
    }));
    expect(facts).toEqual([
      {
        agent: "router",
        lane: "agent:router",
        turns: [{ from: 1, to: 4, number: 1, isWithin: false, failed: false }],
        model: 1,
        tools: [],
      },
      {
        agent: "seller",
        lane: "agent:seller",
        turns: [
          { from: 4, to: 10, number: 1, isWithin: false, failed: false },
          { from: 6, to: 7, number: 0, isWithin: true, failed: true },
        ],
        model: 0,
        tools: [[5, 8]],
      },
    ]);
  });

  test("agents above the maximum share the last lane, with steps without one", () => {
    const rows = Array.from({ length: 40 }, (_, i) => row(i + 1, "run.started", { run: `r${i}`, agent: `a${i}` }));
    const { byAgent } = lanesOf([...rows, row(41, "run.started", { run: "r", agent: null })]);
    expect(byAgent).toHaveLength(31);
    expect(byAgent.at(-1)).toMatchObject({ agent: "", lane: "agent:" });
    expect(byAgent.at(-1)?.turns).toHaveLength(11);
  });

  test("rows added one by one give the same lanes as all at once", () => {
    const types = [
      "call.started",
      "call.succeeded",
      "call.retried",
      "call.parked",
      "run.started",
      "run.finished",
      "run.iteration",
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
        agent: fc.constantFrom("x", "y", null),
      }),
    );
    fc.assert(
      fc.property(logs, (log) => {
        const rows = log.map(({ type, id, run, agent }, i) => row(i + 1, type, { run, agent, call: callNamed(id) }));
        const grown = new LanesBuilder();
        for (const one of rows) grown.add([one]);
        expect(grown.lanes).toEqual(lanesOf(rows));
      }),
    );
  });
});
