import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../session/json/json.ts";
import { readCalls } from "./call.ts";
import { buildGraph } from "./graph.ts";
import { overlaps } from "./overlap.ts";

/** The example of the studio: a deal is read, checked, changed, and a call is planned. */
const DEAL: JsonObject[] = [
  { _tool: "crm.deal.get", _id: "deal", id: "†input.deals[0]", _outputPath: "†state.before && †state.deal" },
  {
    _tool: "checkDiscountPolicy",
    _id: "policy",
    amount: "†state.deal.amount",
    _outputPath: "†state.allowed || †state.refused",
  },
  { _tool: "crm.contact.get", _id: "contact", id: "†state.deal.contact", _outputPath: "†state.contact" },
  { _tool: "crm.deal.update", _id: "update", before: "†state.before && †state.allowed", _outputPath: "†state.update" },
  { _tool: "draftRefusal", _id: "refusal", why: "†state.refused", _outputPath: "†state.refusal" },
  { _tool: "notifyManager", _id: "notify", text: "†state.update || †state.refusal" },
];

describe("P15: the graph of a plan", () => {
  test("P15: one edge for a pair of calls, with the paths as read and its kind", () => {
    const { edges, nodes } = buildGraph(DEAL);
    expect(nodes[0]).toEqual({ id: "deal", tool: "crm.deal.get" });
    expect(edges).toEqual([
      { from: "deal", to: "policy", paths: ["†state.deal.amount"], kind: "fanout" },
      { from: "deal", to: "contact", paths: ["†state.deal.contact"], kind: "fanout" },
      { from: "deal", to: "update", paths: ["†state.before"], kind: "gate" },
      { from: "policy", to: "update", paths: ["†state.allowed"], kind: "branch" },
      { from: "policy", to: "refusal", paths: ["†state.refused"], kind: "branch" },
      { from: "update", to: "notify", paths: ["†state.update"], kind: "fallback" },
      { from: "refusal", to: "notify", paths: ["†state.refusal"], kind: "fallback" },
    ]);
  });

  test("P15: an edge that carries several paths takes the first kind that applies to any of them", () => {
    const { edges } = buildGraph([
      { _tool: "a", _id: "a", _outputPath: "†state.x" },
      {
        _tool: "b",
        _id: "b",
        one: "†state.x.one",
        two: "†state.x.two && †state.x.one",
        three: "†state.x.one || †input.y",
      },
    ]);
    expect(edges).toEqual([{ from: "a", to: "b", paths: ["†state.x.one", "†state.x.two"], kind: "fallback" }]);
  });

  test("P15: waves follow the edges, in plan order", () => {
    expect(buildGraph(DEAL).waves).toEqual([["deal"], ["policy", "contact"], ["update", "refusal"], ["notify"]]);
  });

  test("P15: a pair has an edge exactly when a write of one overlaps a read of the other", () => {
    const path = fc.constantFrom("†state", "†state.a", "†state.a.b", "†state.a.c", "†state.d", '†state["0"]');
    const call = fc.record({
      _tool: fc.constant("t"),
      p: fc.array(fc.oneof(path, fc.constant("†input.a"))),
      _outputPath: fc.option(path),
    });
    fc.assert(
      fc.property(fc.array(call, { maxLength: 8 }), (plan) => {
        const calls = readCalls(plan);
        const expected = calls.flatMap((reader) =>
          calls
            .filter((writer) => writer !== reader)
            .filter((writer) => {
              const targets = (writer.output ?? []).flat();
              return reader.reads.some(({ expression }) =>
                expression.flat().some((read) => targets.some((write) => overlaps(read, write))),
              );
            })
            .map((writer) => `${writer.id} → ${reader.id}`),
        );
        expect(
          buildGraph(plan)
            .edges.map(({ from, to }) => `${from} → ${to}`)
            .sort(),
        ).toEqual(expected.sort());
      }),
    );
  });

  test("P7: an unreadable reference is reported and does not break the graph", () => {
    const { edges, problems } = buildGraph([
      ...DEAL,
      { _tool: "bad", _id: "bad", x: "†state..y", _outputPath: "†nowhere" },
    ]);
    expect(edges).toHaveLength(7);
    expect(problems).toMatchObject([
      { call: "bad", path: ["x"] },
      { call: "bad", path: ["_outputPath"] },
    ]);
  });

  test("P9, P15: †state alone and what a delegate writes back are no fan-out", () => {
    const plan: JsonObject[] = [
      { _tool: "t", _id: "root", _outputPath: "†state" },
      { _tool: "t", _id: "clerk", _delegate: "clerk", _scopes: ["state"], _outputPath: "†state.c" },
      { _tool: "t", _id: "both", _outputPath: "†state.d && †state.e" },
      { _tool: "t", _id: "read", a: "†state.a", b: "†state.back", c: "†state.d" },
    ];
    const outputs = [
      { call_id: "root", keys: ["a", "b"] },
      { call_id: "clerk", writes: ["†state.back"] },
    ];
    expect(buildGraph(plan, outputs).edges.map(({ from, kind }) => [from, kind])).toEqual([
      ["root", "data"],
      ["clerk", "data"],
      ["both", "fanout"],
    ]);
  });

  test("P17: a cycle ends: every call stands in one wave", () => {
    const call = fc.record({
      _tool: fc.constant("t"),
      p: fc.array(fc.constantFrom("†state.a", "†state.b", "†state.c", "†state.d")),
      _outputPath: fc.constantFrom("†state.a", "†state.b", "†state.c", "†state.d"),
    });
    fc.assert(
      fc.property(fc.array(call, { maxLength: 10 }), (plan) => {
        const { nodes, waves } = buildGraph(plan);
        expect(waves.flat().sort()).toEqual(nodes.map(({ id }) => id).sort());
        expect(waves.every((wave) => wave.length > 0)).toBe(true);
      }),
    );
  });

  test("P1: a call with an id that is taken is left out of the graph and reported", () => {
    const { nodes, problems } = buildGraph([
      { _tool: "a", _id: "x" },
      { _tool: "b", _id: "x" },
    ]);
    expect(nodes).toEqual([{ id: "x", tool: "a" }]);
    expect(problems).toMatchObject([{ code: "duplicate_id" }]);
  });
});
