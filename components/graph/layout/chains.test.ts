import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/session/json/json.ts";
import { levelOf } from "../testing.ts";
import { collapseChains, findChains } from "./chains.ts";

/** A call that reads what the previous one wrote; the first reads nothing. */
function row(size: number, name = "c"): JsonObject[] {
  return Array.from({ length: size }, (_, index) => ({
    _tool: "step",
    _id: `${name}${index}`,
    ...(index > 0 && { value: `†state.${name}${index - 1}` }),
    _outputPath: `†state.${name}${index}`,
  }));
}

function chainsOf(plan: JsonObject[]): string[][] {
  const { nodes, links } = levelOf(plan);
  return findChains(nodes, links);
}

const NONE: ReadonlySet<string> = new Set();
const side = (size: number) => Array.from({ length: size }, (_, index) => ({ _tool: "side", _id: `s${index}` }));

describe("C4: long chains", () => {
  test("C4: five calls in a row with one writer and one reader each are a chain, without its ends; four are none", () => {
    expect(chainsOf(row(7))).toEqual([["c1", "c2", "c3", "c4", "c5"]]);
    expect(chainsOf(row(6))).toEqual([]);
  });

  test("C4: a second reader, a second writer or a branch ends a chain", () => {
    const reads = (path: string) => ({ _tool: "look", _id: "look", value: path });
    expect(chainsOf([...row(13), reads("†state.c6")])).toEqual([
      ["c1", "c2", "c3", "c4", "c5"],
      ["c7", "c8", "c9", "c10", "c11"],
    ]);
    const branched = row(9).map((call) =>
      call._id === "c4" ? { ...call, _outputPath: "†state.c4 || †state.no" } : call,
    );
    expect(chainsOf(branched)).toEqual([]);
  });

  test("C4: a cycle has no first call and is left as it is", () => {
    expect(chainsOf(row(8).map((call, index) => (index === 0 ? { ...call, value: "†state.c7" } : call)))).toEqual([]);
  });

  test("C4: in a large plan a chain is one node with the inputs of its first and the outputs of its last call", () => {
    const level = collapseChains(levelOf([...row(8), ...side(40)]), NONE);
    const chain = level.nodes.find((node) => node.chain);
    expect(chain?.chain?.map(({ call }) => call.id)).toEqual(["c1", "c2", "c3", "c4", "c5", "c6"]);
    expect(chain?.box.pills.map(({ path }) => path)).toEqual(["†state.c0"]);
    expect(chain?.box.outputs.map(({ path }) => path)).toEqual(["†state.c6"]);
    expect(level.links.map(({ from, to }) => [from, to])).toEqual([
      ["c0", chain?.call.id],
      [chain?.call.id, "c7"],
    ]);
    expect(level.nodes.find(({ call }) => call.id === "c7")?.wave).toBe(2);
    expect([level.nodes.length, level.size, level.whole?.nodes.length]).toEqual([43, 43, 48]);
  });

  test("C4: a small plan shows all calls until a chain is collapsed; a large plan expands chains in place", () => {
    const small = levelOf(row(8));
    const open = collapseChains(small, NONE);
    expect(open.nodes).toHaveLength(8);
    const head = open.nodes.find(({ heads }) => heads !== null);
    expect(head?.call.id).toBe("c1");
    expect(collapseChains(small, new Set([head?.heads ?? ""])).nodes).toHaveLength(3);
    const large = levelOf([...row(8), ...side(40)]);
    expect(collapseChains(large, new Set([head?.heads ?? ""])).nodes).toHaveLength(48);
  });
});
