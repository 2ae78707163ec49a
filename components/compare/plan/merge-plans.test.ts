import { describe, expect, test } from "vitest";
import { wiresOf } from "@/components/graph/layout/layout.ts";
import { comparePlans, type PlanPair } from "@/lib/session/compare/plans.ts";
import type { JsonObject } from "@/lib/session/json/json.ts";
import { emptySession, fold } from "@/lib/session/reducer/reducer.ts";
import { session as events } from "@/lib/session/testing/events.ts";
import { edgeName, mergePlans } from "./merge-plans.ts";

const proposed = (calls: JsonObject[]) =>
  fold(emptySession("c"), events(["run.started", { iteration: 1 }], ["plan.proposed", { iteration: 1, calls }]));

function pairOf(a: JsonObject[], b: JsonObject[]): PlanPair {
  const [pair] = comparePlans(proposed(a), proposed(b));
  if (!pair) throw new Error("There is no plan");
  return pair;
}

const get = { _tool: "deal.get", _id: "get", _outputPath: "†state.deal" };
const note = { _tool: "note.add", _id: "note", text: "†state.deal" };
const mail = { _tool: "mail.send", _id: "mail", to: "†state.deal.mail" };

const marksOf = (pair: PlanPair) =>
  Object.fromEntries([...mergePlans(pair).marks].map(([id, mark]) => [decodeURIComponent(id), mark.kind]));
const wires = (pair: PlanPair) => {
  const { level } = mergePlans(pair).drawn;
  return wiresOf(level.nodes, level.links).map(({ link }) => `${link.from} ${link.to}`);
};

describe("C10: merging two plans", () => {
  test("has each call once, and marks added, changed and removed ones", () => {
    const pair = pairOf([get, note], [get, { ...mail, _reasoningForCall: "why" }]);
    expect(mergePlans(pair).drawn.level.nodes.map(({ call }) => call.id)).toEqual(["get", "note", "mail"]);
    expect(marksOf(pair)).toEqual({ note: "removed", mail: "added" });
    expect(marksOf(pairOf([get, note], [get, { ...note, text: "plain" }]))).toEqual({ note: "changed" });
    expect(mergePlans(pairOf([get, note], [get, { ...note, text: "plain" }])).marks.get("note")).toMatchObject({
      fields: ["text"],
    });
  });

  test("keeps edges of removed calls, and marks edges by side", () => {
    const pair = pairOf([get, note], [get, mail]);
    expect(wires(pair).sort()).toEqual(["get mail", "get note"]);
    expect(Object.fromEntries(mergePlans(pair).edges)).toEqual({
      [edgeName("get", "note", "†state.deal")]: "removed",
      [edgeName("get", "mail", "†state.deal.mail")]: "added",
    });
  });

  test("keeps the removed reads of a changed call, struck through, and their edges", () => {
    const pair = pairOf([get, note], [get, { ...note, text: "plain" }]);
    expect(wires(pair)).toEqual(["get note"]);
    expect(mergePlans(pair).unread).toEqual([{ call: "note", path: "†state.deal" }]);
    expect(mergePlans(pairOf([get, { ...note, text: "plain" }], [get, note])).unread).toEqual([]);
  });

  test("reports an edge whose writer now writes another path", () => {
    const moved = { ...get, _outputPath: "†state.other" };
    const { lost } = mergePlans(pairOf([get, note], [moved, { ...note, text: "†state.other" }]));
    expect(lost).toEqual([{ from: "get", to: "note", path: "†state.deal" }]);
  });

  test("returns equal plans unchanged, and marks nothing when only one side has a plan", () => {
    const same = mergePlans(pairOf([get, note], [get, note]));
    expect([same.marks.size, same.edges.size, same.lost.length]).toEqual([0, 0, 0]);
    const [alone] = comparePlans(proposed([get, note]), emptySession("d"));
    expect(alone && mergePlans(alone).marks.size).toBe(0);
    expect(alone && mergePlans(alone).drawn.level.nodes).toHaveLength(2);
  });
});
