import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../session/json/json.ts";
import { problemsOf, tool } from "../testing/check-plan.ts";
import { number, string } from "../testing/tools.ts";

describe("P14b: an instance reads what it writes over what all share", () => {
  const tools = [
    tool("text", {}, { output: string }),
    tool("profile", {}, { output: { type: "object", properties: { name: string }, additionalProperties: false } }),
    tool("ask", { text: string }),
    tool("count", { amount: number }),
  ];
  const shared = (data: JsonObject): JsonObject[] => [
    { type: "state", ...data },
    { type: "state", _instance: "①" },
  ];
  const check = (data: JsonObject, reader: JsonObject, writer = "text") =>
    problemsOf([{ _tool: writer, _id: "w", _outputPath: "†state.x" }, reader], { tools, context: shared(data) });

  test.each<[string, Json, JsonObject, string[]]>([
    ["a text over a number, read as a number", 5, { _tool: "count", amount: "†state.x" }, ["type_mismatch"]],
    ["a text over a number, read as a text", 5, { _tool: "ask", text: "†state.x" }, ["unchecked"]],
    ["a text over a text", "shared", { _tool: "ask", text: "†state.x" }, []],
  ])("%s", (_what, global, reader, found) => {
    const problems = check({ x: global }, { ...reader, _id: "r" });
    expect(problems.map((problem) => problem.split(" ")[1])).toEqual(found);
  });

  test("an object over an object is both, deeply", () => {
    const reader = { _tool: "ask", _id: "r", text: "†state.x.name" };
    expect(check({ x: { name: "shared" } }, reader, "profile")).toEqual([]);
    expect(check({ x: { name: 5 } }, reader, "profile")).toEqual(["warning unchecked r /text"]);
    const other = { _tool: "ask", _id: "r", text: "†state.x.note" };
    expect(check({ x: { note: "shared" } }, other, "profile")).toEqual([]);
  });

  test("without instances what is there from the beginning stays (P12)", () => {
    const plan: JsonObject[] = [
      { _tool: "text", _id: "w", _outputPath: "†state.x" },
      { _tool: "count", _id: "r", amount: "†state.x" },
    ];
    expect(problemsOf(plan, { tools, context: [{ type: "state", x: 5 }] })).toEqual([]);
  });
});
