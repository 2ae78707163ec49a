import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/session/json/json.ts";
import { emptySession, fold } from "@/lib/session/reducer/reducer.ts";
import { session } from "@/lib/session/testing/events.ts";
import { recordedCall } from "@/lib/session/values/recorded-call.ts";
import { declaredLinks } from "./declared.ts";

/** Edges between recorded calls, as short strings. */
function edges(...calls: JsonObject[]): string[] {
  const events = session(...calls.map((call): [string, JsonObject] => ["call.started", { tool: "t", ...call }]));
  const { calls: recorded } = fold(emptySession("c"), events);
  return declaredLinks([...recorded.values()].map(recordedCall)).map(({ from, to }) => `${from} → ${to}`);
}

describe("E15: edges between recorded calls that an agent declares", () => {
  test("start at the newest earlier call that wrote the path, or a path above or below it", () => {
    expect(
      edges(
        { call_id: "a", output_path: "†state.deal" },
        { call_id: "b", output_path: "deal.note" },
        { call_id: "c", reads: ["†state.deal.note", "†state.deal.sum"] },
        { call_id: "d", output_path: "†state.late", reads: ["†state.late", "†state.none"] },
      ),
    ).toEqual(["b → c", "a → c"]);
  });

  test("are left out when a path is invalid, and when calls share an id", () => {
    expect(
      edges(
        { call_id: "a", output_path: "†state..deal", iteration: 1 },
        { call_id: "b", reads: ["†state..deal"], iteration: 1 },
        { call_id: "x", output_path: "†state.x", iteration: 1 },
        { call_id: "x", reads: ["†state.x"], iteration: 2 },
      ),
    ).toEqual([]);
  });

  test("leave parameters as values, whatever they look like", () => {
    expect(edges({ call_id: "a", output_path: "†state.x" }, { call_id: "b", params: { x: "†state.x" } })).toEqual([]);
  });
});
