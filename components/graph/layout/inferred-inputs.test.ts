import { describe, expect, test } from "vitest";
import type { EdgeSource, InferredEdge } from "@/lib/session/find/inferred-edges.ts";
import { emptySession } from "@/lib/session/reducer/reducer.ts";
import { inferredInputsOf, keyOf, shortEdge } from "../edge/inferred-inputs.ts";

const GET = { run_id: "r", iteration: 1, instance: "", call_id: "get" };
const SAID: EdgeSource = { kind: "message", message_id: "m", seq: 2, role: "user" };

const edge = (from: EdgeSource, to_path: string): InferredEdge => ({
  from,
  to: { ...GET, call_id: "use" },
  to_path,
  value: "W7741",
});
const brought = (path: string, to_path = "/id") => edge({ kind: "call", call: GET, path }, to_path);

function labels(edges: InferredEdge[], isDrawn = true): string[] {
  const nodes = new Map(isDrawn ? [[keyOf(GET), "node"]] : []);
  return inferredInputsOf(edges, nodes, emptySession("c")).map((one) => shortEdge(one, "user"));
}

describe("C4: inferred inputs", () => {
  test.each([
    ["/orders/1", "/id", "orders/1 → id"],
    ["/1/0/flight", "/flights/0/flight", "flight → flight"],
    ["/a~1b/c~0d", "/x", "a/b/c~d → x"],
    ["", "/id", "get → id"],
  ])("has the ends of %s and %s as its name", (path, to_path, name) =>
    expect(labels([brought(path, to_path)])).toEqual([name]),
  );

  test("is listed once per source, with the number of further values", () => {
    expect(labels([brought("/id"), edge(SAID, "/name"), brought("/sum", "/amount")])).toEqual([
      "id → id +1",
      "user → name",
    ]);
  });

  test("names the call when it is not in the same graph", () => {
    expect(labels([brought("/orders/1")], false)).toEqual(["get → id"]);
  });
});
