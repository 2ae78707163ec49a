import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseReference } from "../../plan/reference.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { type HistoryStep, StateHistory, type StateHistoryEntry } from "./state-history.ts";

type Fields = {
  call_id?: string;
  tool?: string;
  instance?: string;
  iteration?: number;
  actor?: string;
  payload?: Json;
};
type Told = [type: HistoryStep["type"], fields: Fields];

const write = (path: string, value: Json, fields: Fields = {}): Told => [
  "state.written",
  { payload: { path, value }, ...fields },
];
const propose = (iteration: number, calls: JsonObject[]): Told => [
  "plan.proposed",
  { iteration, payload: { iteration, calls } },
];
const start = (call_id: string, fields: Fields = {}): Told => [
  "call.started",
  { call_id, tool: `tool.${call_id}`, ...fields },
];

function historyOf(path: string, told: Told[], instance: string | null = null): StateHistoryEntry[] {
  const reference = parseReference(path);
  if (!reference.ok) throw new Error(path);
  const history = new StateHistory(reference.value, instance);
  return told.flatMap(([type, fields], index) => {
    const plain = {
      run_id: "r",
      actor: null,
      occurred_at: null,
      call_id: null,
      iteration: null,
      instance: null,
      tool: null,
    };
    const step = { seq: index + 1, conversation_id: "c", ...plain, ...fields, type } as HistoryStep;
    return history.add(step) ?? [];
  });
}

describe("C6: the history of a path", () => {
  const deal = { _tool: "deal.get", _id: "get", _outputPath: "†state.deal" };
  const check = { _tool: "check", _id: "check", amount: "†state.deal.amount" };
  const other = { _tool: "mail", _id: "mail", to: "†state.client" };

  test("has writers and readers, in order, and no other steps", () => {
    const told = historyOf("†state.deal", [
      ["run.started", {}],
      propose(1, [deal, check, other]),
      start("get"),
      write("†state.deal", { amount: 5 }, { call_id: "get", actor: "tool:deal.get" }),
      write("†state.client", "Anna"),
      start("check"),
      start("mail"),
    ]);
    expect(told).toEqual([
      expect.objectContaining({ seq: 4, kind: "written", tool: "tool.get", path: "†state.deal", value: { amount: 5 } }),
      expect.objectContaining({ seq: 6, kind: "read", tool: "tool.check", path: "†state.deal.amount" }),
    ]);
    expect(told[1]).not.toHaveProperty("value");
  });

  test("of a write above the path has the part at it; without one it is left out", () => {
    const told = [write("†state.deal", { amount: 5, title: "x" }), write("†state.deal", { title: "y" })];
    expect(historyOf("†state.deal.amount", told)).toEqual([expect.objectContaining({ seq: 1, value: 5 })]);
  });

  test("of a write below the path has the written value and path", () => {
    const [entry] = historyOf("†state.deal", [write("†state.deal.amount", 7)]);
    expect(entry).toMatchObject({ path: "†state.deal.amount", value: 7 });
  });

  test("a call reads once, also if retried; in another iteration's plan again", () => {
    const told = historyOf("†state.deal.amount", [
      propose(1, [check]),
      start("check"),
      start("check"),
      ["run.iteration", {}],
      propose(2, [check]),
      start("check"),
    ]);
    expect(told.map(({ seq, iteration }) => [seq, iteration])).toEqual([
      [2, 1],
      [6, 2],
    ]);
  });

  test("an instance has its own history", () => {
    const told = [
      write("†state.a", 1, { instance: "x" }),
      write("†state.a", 2, { instance: "y" }),
      write("†state.a", 3),
    ];
    expect(historyOf("†state.a", told, "y").map(({ value }) => value)).toEqual([2]);
    expect(historyOf("†state.a", told, "").map(({ value }) => value)).toEqual([3]);
    expect(historyOf("†state.a", told)).toHaveLength(3);
  });

  test("a large value is a reference to its event", () => {
    const [entry] = historyOf("†state.a.b", [write("†state.a", { b: "x".repeat(20_000) })]);
    expect(entry?.value).toEqual({
      $ref: "/api/conversations/c/events?after=0&limit=1#/items/0/payload/value/b",
      bytes: 20_002,
    });
  });

  test("the newest write in a history equals the state, if each path is written once", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"), { minLength: 1 }), fc.nat(), (keys, value) => {
        const told = keys.map((key, index) => write(`†state.${key}`, value + index));
        for (const [index, key] of keys.entries())
          expect(historyOf(`†state.${key}`, told).map((entry) => entry.value)).toEqual([value + index]);
      }),
    );
  });
});
