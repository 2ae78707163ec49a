import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../session/json/json.ts";
import { delegate, problemsOf, sentenceOf, tool } from "../testing/check-plan.ts";
import { getUser, input, string, tools } from "../testing/tools.ts";

describe("P11: one result cannot be at a place and below it", () => {
  const given = { tools, context: [input] };

  test("P9: †state alone beside one of its keys", () => {
    const plan = (path: string) => [{ ...getUser, _outputPath: path }];
    expect(problemsOf(plan("†state && †state.user"), given)).toEqual([]);
    expect(problemsOf(plan("†state && †state.name"), given)).toEqual(["error write_conflict get /_outputPath"]);
    expect(problemsOf(plan("†state || †state.name"), given)).toEqual([]);
    expect(sentenceOf("write_conflict", plan("†state.name.first && †state"), given)).toContain(
      "†state.name.first and †state.name",
    );
  });

  test("P27: a delegate's own result beside what it writes back", () => {
    const delegates = [delegate("clerk", { writes: ["†state.case.note", "†state.log"] })];
    const plan = (path: string) => [
      { _tool: "any", _id: "a", _delegate: "clerk", _scopes: ["state"], _outputPath: path },
    ];
    expect(problemsOf(plan("†state.done"), { ...given, delegates })).toEqual([]);
    expect(problemsOf(plan("†state.case"), { ...given, delegates })).toEqual(["error write_conflict a /_outputPath"]);
    expect(problemsOf(plan("†state.done || †state.case"), { ...given, delegates })).toEqual([]);
    expect(sentenceOf("write_conflict", plan("†state.log"), { ...given, delegates })).toContain("clerk");
  });
});

describe("P13, P16: the state's schema by its definitions", () => {
  const failure = { type: "object", properties: { code: string, message: string } };
  const schema = {
    $ref: "#/$defs/state",
    $defs: {
      state: { type: "object", properties: { user: {}, trouble: { $ref: "#/$defs/failure" } } },
      failure,
    },
  };

  test("P10: an alternative that takes errors by a definition", () => {
    const plan: JsonObject[] = [
      { ...getUser, _outputPath: "†state.user || †state.trouble" },
      { _tool: "greet", _id: "a", name: "†state.trouble.message" },
    ];
    expect(problemsOf(plan, { tools, context: [input, { type: "state", schema }] })).toEqual([]);
  });

  test("a result that it never takes", () => {
    const plan = [{ _tool: "text", _id: "a", _outputPath: "†state.trouble" }];
    const given = { tools: [tool("text", {}, { output: string })], context: [{ type: "state", schema }] };
    expect(problemsOf(plan, given)).toEqual(["error outside_schema a /_outputPath"]);
  });
});
