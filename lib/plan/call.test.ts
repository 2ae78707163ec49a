import { describe, expect, test } from "vitest";
import type { JsonObject } from "../session/json.ts";
import { callIds, readCall, readCalls } from "./call.ts";

describe("reading a call", () => {
  test("P1: meta-properties and parameters are told apart, null means absent", () => {
    const call = readCall(
      {
        _tool: "issueRefund",
        _id: null,
        _instance: "①",
        _delegate: null,
        _reasoningForCall: "eligible",
        _scopes: ["state"],
        _outputPath: "†state.receipt",
        amount: 5,
      },
      "issueRefund#1",
    );
    expect(call).toMatchObject({
      id: "issueRefund#1",
      tool: "issueRefund",
      instance: "①",
      delegate: null,
      reasoning: "eligible",
      parameters: { amount: 5 },
      problems: [],
    });
    expect(call.output).toEqual([[{ kind: "state", path: ["receipt"] }]]);
  });

  test("P1: an unknown meta-property is named together with the nearest known one", () => {
    const { problems } = readCall({ _tool: "a", _outputpaht: "†state.x" }, "a#1");
    expect(problems).toMatchObject([
      { code: "unknown_meta", path: ["_outputpaht"], message: expect.stringContaining("_outputPath") },
    ]);
  });

  test("P1: a generated id is free in the plan, and the same on every reading", () => {
    const calls: JsonObject[] = [{ _tool: "a" }, { _tool: "a", _id: "a#1" }, { _tool: "a" }, { _tool: "b", _id: "" }];
    expect(callIds(calls)).toEqual(["a#2", "a#1", "a#3", "b#1"]);
    expect(callIds(calls)).toEqual(callIds(calls));
  });

  test("P1: a second call with the same id is a problem", () => {
    const [first, second] = readCalls([
      { _tool: "a", _id: "x" },
      { _tool: "b", _id: "x" },
    ]);
    expect(first?.problems).toEqual([]);
    expect(second?.problems).toMatchObject([{ code: "duplicate_id", call: "x", path: ["_id"] }]);
  });

  test("P3: references are found in nested objects and arrays, with the parameter's path, in order", () => {
    const { reads } = readCall(
      {
        _tool: "a",
        one: "†state.x",
        list: [{ id: "†state.y || †input.z" }, "††state.w", "see †state.v"],
        two: "†state",
      },
      "a#1",
    );
    expect(reads).toEqual([
      { parameter: ["one"], expression: [[{ kind: "state", path: ["x"] }]] },
      {
        parameter: ["list", 0, "id"],
        expression: [[{ kind: "state", path: ["y"] }], [{ kind: "input", path: ["z"] }]],
      },
      { parameter: ["two"], expression: [[{ kind: "state", path: [] }]] },
    ]);
  });

  test("P7: a reference that cannot be read is reported with its parameter, and the rest is read", () => {
    const call = readCall({ _tool: "a", bad: ["†state."], good: "†state.x", _outputPath: "†input.x" }, "a#1");
    expect(call.reads).toHaveLength(1);
    expect(call.output).toBeNull();
    expect(call.problems).toMatchObject([
      { code: "syntax", path: ["bad", 0] },
      { code: "syntax", path: ["_outputPath"] },
    ]);
  });

  test("P8: a parameter named __proto__ is an ordinary one", () => {
    const call = readCall(JSON.parse('{"_tool": "a", "x": {"__proto__": "†state.y"}}'), "a#1");
    expect(call.reads).toMatchObject([{ parameter: ["x", "__proto__"] }]);
  });
});
