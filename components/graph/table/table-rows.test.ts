import { describe, expect, test } from "vitest";
import { collapseChains } from "../layout/chains.ts";
import type { PlanLevel } from "../plan-level.ts";
import { levelOf } from "../testing.ts";
import { type TablePath, tableRows } from "./table-rows.ts";

const PLAN = levelOf([
  { _tool: "deal.get", _id: "get", id: "†input.id", _outputPath: "†state.deal" },
  { _tool: "policy.check", _id: "check", amount: "†state.deal.amount", _outputPath: "†state.ok || †state.error" },
  { _tool: "deal.update", _id: "update", ok: "†state.ok && †state.deal.id" },
]);

const CHAIN = levelOf(
  Array.from({ length: 60 }, (_, index) => ({
    ...{ _tool: `step.${index}`, _id: `c${index}`, _outputPath: `†state.c${index}` },
    ...(index > 0 && { value: `†state.c${index - 1}` }),
  })),
);

const told = (paths: readonly TablePath[]) =>
  paths.map(({ path, others }) => `${path}: ${others.map(({ call }) => call.id).join(" ")}`);

function described(level: PlanLevel) {
  return tableRows(level).map(({ node, depth, reads, writes }) => [node.call.id, depth, told(reads), told(writes)]);
}

describe("C4: the plan as a table", () => {
  test("C4: each call has its paths, with their writers and readers", () => {
    expect(described(PLAN)).toEqual([
      ["get", 0, ["†input.id: "], ["†state.deal: check update"]],
      ["check", 0, ["†state.deal.amount: get"], ["†state.ok: update", "†state.error: "]],
      ["update", 0, ["†state.ok: check", "†state.deal.id: get"], []],
    ]);
  });

  test("C4: the calls of a collapsed chain are separate rows", () => {
    const collapsed = collapseChains(CHAIN, new Set());
    expect(collapsed.nodes.length).toBeLessThan(60);
    expect(described(collapsed)).toEqual(described(CHAIN));
  });

  test("C4: a delegate's calls are below it, expanded or not", () => {
    const [delegate] = levelOf([{ _tool: "translate", _id: "t", _delegate: "translator" }]).nodes;
    if (!delegate) throw new Error("no call");
    const level = { ...PLAN, nodes: [{ ...delegate, frame: PLAN, open: false }], links: [] };
    expect(described(level).map(([id, depth]) => [id, depth])).toEqual([
      ["t", 0],
      ["get", 1],
      ["check", 1],
      ["update", 1],
    ]);
  });
});
