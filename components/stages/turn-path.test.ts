import { describe, expect, it } from "vitest";
import { shownRunStatus } from "@/components/studio/header/shown-run-status.ts";
import { emptySession, fold } from "@/lib/session/reducer/reducer.ts";
import { session, speaker } from "@/lib/session/testing/events.ts";
import { row } from "@/lib/session/testing/timeline-rows.ts";
import { MAIN_GRAPH } from "./testing/main-graph.ts";
import { edgeState, handlersOf, iterationsOf, nodeStatus, turnPathOf } from "./turn-path.ts";

const events = session(
  ["run.started", { directed: true }, { agent_id: "admin" }],
  ["stage.entered", { node: "detect_stage" }],
  ["stage.entered", { node: "handle_admin", agent_id: "admin" }],
  ["run.iteration", { iteration: 1, speaker: speaker("admin", "handle_admin") }],
  ["run.iteration", { iteration: 2 }],
  ["stage.changed", { from: "admin", to: "demo" }],
  ["stage.entered", { node: "handle_demo", agent_id: "demo_setup" }],
  ["run.iteration", { iteration: 3, speaker: speaker("demo_setup", "handle_demo") }],
  ["run.iteration", { iteration: 4, speaker: speaker("demo", "handle_demo") }],
  ["stage.entered", { node: "END" }],
  ["run.finished", {}],
);

function at(step: number) {
  const run = fold(emptySession("c"), events.slice(0, step)).runs.get("run");
  if (!run) throw new Error("No run");
  return { run, way: turnPathOf(run) };
}

const edge = (from: string, to: string) => {
  const found = MAIN_GRAPH.edges.find((one) => one.from === from && one.to === to);
  if (!found) throw new Error(`No edge ${from} → ${to}`);
  return found;
};

describe("the path of a turn through the main graph", () => {
  it("D1: has the visited nodes in order, with the agents that spoke", () => {
    expect(at(11).way.map(({ order, node, agents }) => [order, node, agents])).toEqual([
      [1, "detect_stage", []],
      [2, "handle_admin", ["admin"]],
      [3, "handle_demo", ["demo_setup", "demo"]],
      [4, "END", []],
    ]);
    expect(at(7).way.at(-1)?.agents).toEqual(["demo_setup"]);
    expect(handlersOf(at(11).run)).toEqual(["handle_admin", "handle_demo"]);
  });

  it("marks taken edges, possible ones, and those that can no longer be taken", () => {
    const states = (step: number) =>
      ["START detect_stage", "detect_stage handle_admin", "detect_stage handle_demo", "handle_admin handle_demo"].map(
        (name) => {
          const [from = "", to = ""] = name.split(" ");
          return edgeState(at(step).run, at(step).way, edge(from, to));
        },
      );
    expect(states(2)).toEqual(["done", "idle", "idle", "idle"]);
    expect(states(5)).toEqual(["done", "done", "off", "idle"]);
    expect(states(11)).toEqual(["done", "done", "off", "done"]);
    expect(edgeState(at(11).run, at(11).way, edge("handle_demo_setup", "END"))).toBe("off");
  });

  it("shows the current node with the turn's status, and the others as passed, possible or skipped", () => {
    const status = (step: number, node: string) => nodeStatus(at(step).run, at(step).way, node);
    expect(["START", "detect_stage", "handle_admin", "handle_demo"].map((node) => status(5, node))).toEqual([
      "succeeded",
      "succeeded",
      "running",
      "planned",
    ]);
    expect(["handle_admin", "handle_demo_setup", "END"].map((node) => status(11, node))).toEqual([
      "succeeded",
      "skipped",
      "succeeded",
    ]);
  });

  it("D9: shows the node at which a manager was called", () => {
    const called = session(
      ["run.started", {}],
      ["stage.entered", { node: "handle_admin" }],
      ["manager.alerted", { text: "Help" }],
      ["run.finished", { reason: "escalated" }],
    );
    const run = fold(emptySession("c"), called).runs.get("run");
    if (!run) throw new Error("No run");
    expect(shownRunStatus(run)).toBe("escalated");
    expect(nodeStatus(run, turnPathOf(run), "handle_admin")).toBe("escalated");
    expect(shownRunStatus({ status: "cancelled", reason: "escalated", simulated: false })).toBe("cancelled");
  });

  it("E9, P22: a run closed by a fork is not cancelled, and a simulated one says so", () => {
    expect(shownRunStatus({ status: "cancelled", reason: "Forked", simulated: false })).toBe("forked");
    expect(shownRunStatus({ status: "finished", reason: null, simulated: true })).toBe("simulated");
    expect(shownRunStatus({ status: "finished", reason: "shadow", simulated: false })).toBe("simulated");
    expect(shownRunStatus({ status: "running", reason: null, simulated: true })).toBe("running");
  });

  it("D6: has the iterations of each node's agents up to the step", () => {
    const rows = events.map(({ seq, type, run_id }) => row(seq, type, { run: run_id }));
    const found = (step: number, place: number) => {
      const { run, way } = at(step);
      const visit = way[place];
      return (
        visit &&
        iterationsOf(run.id, visit, rows, step).map(({ agent_id, iteration, seq }) => [agent_id, iteration, seq])
      );
    };
    expect(found(11, 1)).toEqual([
      ["admin", 1, 4],
      ["admin", 2, 5],
    ]);
    expect(found(4, 1)).toEqual([["admin", 1, 4]]);
    expect(found(11, 2)).toEqual([
      ["demo_setup", 3, 8],
      ["demo", 4, 9],
    ]);
    expect(found(11, 0)).toEqual([]);
  });
});
