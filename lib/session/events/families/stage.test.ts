import { describe, expect, it } from "vitest";
import { LARGEST_VALUE } from "../../json/cite.ts";
import { emptySession, fold } from "../../reducer/reducer.ts";
import { speakerAt } from "../../runs/speakers.ts";
import type { View } from "../../session.ts";
import { event, session, speaker } from "../../testing/events.ts";
import { toView } from "../../view.ts";

const turn = session(
  ["run.started", { directed: true }, { agent_id: "admin" }],
  ["stage.entered", { node: "detect_stage", state: { stage: "admin" } }],
  ["stage.entered", { node: "handle_admin", agent_id: "admin", state: { stage: "admin", answer: null } }],
  ["run.iteration", { iteration: 1, speaker: speaker("admin", "handle_admin") }],
  ["run.iteration", { iteration: 2 }],
  ["stage.entered", { node: "handle_demo", agent_id: "demo", state: { stage: "demo", answer: "Over to the demo." } }],
  ["run.iteration", { iteration: 3, speaker: speaker("demo", "handle_demo") }],
  ["stage.entered", { node: "END", state: { stage: "demo", answer: "[Demonstration] Hello!" } }],
  ["run.finished", {}],
);

function at(step: number, events = turn): View {
  return toView(fold(emptySession("c"), events.slice(0, step)), events.length);
}

describe("a turn that the main graph directs", () => {
  it("D1: keeps its nodes in order, at a step only those until then", () => {
    const nodes = (step: number) => at(step).runs[0]?.stages.map(({ node, seq }) => [node, seq]);
    expect(nodes(1)).toEqual([]);
    expect(nodes(5)).toEqual([
      ["detect_stage", 2],
      ["handle_admin", 3],
    ]);
    expect(nodes(9)?.map(([node]) => node)).toEqual(["detect_stage", "handle_admin", "handle_demo", "END"]);
    expect(at(9).runs[0]?.stages.map(({ agent_id }) => agent_id)).toEqual([null, "admin", "demo", null]);
    expect(at(9).warnings).toEqual([]);
  });

  it("D3: has the conversation state of the newest node; null without one", () => {
    expect(at(1).conversation_state).toBeNull();
    expect(at(2).conversation_state).toEqual({ stage: "admin" });
    expect(at(7).conversation_state).toEqual({ stage: "demo", answer: "Over to the demo." });
    const told = [...turn.slice(0, 2), event(3, "stage.entered", { node: "handle_admin" })];
    expect(at(3, told).conversation_state).toBeNull();
  });

  it("E8: references a conversation state over 16 kB", () => {
    const answer = "x".repeat(LARGEST_VALUE);
    const events = session(["run.started", {}], ["stage.entered", { node: "END", state: { answer } }]);
    expect(at(2, events).conversation_state).toEqual({
      $ref: "/api/conversations/c/events?after=1&limit=1#/items/0/payload/state",
      bytes: answer.length + 13,
    });
  });

  it("E8: keeps the newest 100 nodes and speakers of a run", () => {
    const events = [
      event(1, "run.started", {}),
      ...Array.from({ length: 240 }, (_, index) =>
        index % 2 === 0
          ? event(index + 2, "stage.entered", { node: `n${index}` })
          : event(index + 2, "run.iteration", { speaker: speaker(`a${index}`, "n") }),
      ),
    ];
    const [run] = at(241, events).runs;
    expect([run?.stages.length, run?.stages[0]?.node, run?.stages.at(-1)?.node]).toEqual([100, "n40", "n238"]);
    expect([run?.speakers.length, run?.speakers[0]?.agent_id]).toEqual([100, "a41"]);
  });

  it("D1: has the speaker at each step, at first the run's own agent", () => {
    const [run] = at(9).runs;
    if (!run) throw new Error("No run");
    expect(run.speakers.map(({ agent_id, iteration, seq }) => [agent_id, iteration, seq])).toEqual([
      ["admin", 1, 4],
      ["demo", 3, 7],
    ]);
    expect([1, 5, 6, 7, 9].map((seq) => speakerAt(run, seq))).toEqual(["admin", "admin", "admin", "demo", "demo"]);
    expect(speakerAt({ agent_id: "crm", speakers: [] }, 9)).toBe("crm");
  });
});
