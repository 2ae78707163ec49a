import { describe, expect, test } from "vitest";
import { layOutRows } from "../layout/recorded-rows.ts";
import { layeredPlan, levelOf } from "../testing.ts";
import { neighbour } from "./neighbour.ts";

/** Three rows of three nodes. */
const { nodes } = layOutRows(levelOf(layeredPlan(9, 9), true).nodes, 3);

describe("C4: arrow keys", () => {
  test("C4: move to the nearest call in their direction, and stop at the edge", () => {
    const go = (direction: "left" | "right" | "up" | "down") => neighbour(nodes, "c4", direction)?.node.id ?? null;
    expect([go("left"), go("right"), go("up"), go("down")]).toEqual(["c3", "c5", "c1", "c7"]);
    expect(neighbour(nodes, "c0", "left")).toBeNull();
    expect(neighbour(nodes, "c8", "down")).toBeNull();
  });
});
