import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../session/json/json.ts";
import { callIds, META_PROPERTIES, readCall, readCalls, withKnown } from "./call.ts";

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

  test("P1: each meta-property of a wrong kind is named with what it should be, and read as absent", () => {
    const call = readCall(
      { _tool: "a", _id: 5, _instance: {}, _delegate: ["x"], _activity: true, _scopes: "state", _outputPath: 1, x: 1 },
      "a#1",
    );
    expect(call).toMatchObject({ id: "a#1", instance: "", delegate: null, activity: null, scopes: [], output: null });
    expect(call.problems.map(({ code, path }) => [code, ...path].join(" ")).sort()).toEqual([
      "syntax _activity",
      "syntax _delegate",
      "syntax _id",
      "syntax _instance",
      "syntax _outputPath",
      "syntax _scopes",
    ]);
    expect(readCall({ _tool: 5 }, "call#1").problems).toMatchObject([{ code: "unknown_tool", path: ["_tool"] }]);
    expect(readCall({}, "call#1").problems).toMatchObject([{ code: "unknown_tool", path: ["_tool"] }]);
  });

  test("P1: names are those that events and addresses can hold", () => {
    const problemsOf = (id: string) => readCall({ _tool: "a", _id: id }, "a#1").problems.length;
    expect(["a b", "①", "x".repeat(200)].map(problemsOf)).toEqual([0, 0, 0]);
    expect(["a\nb", "..", "x".repeat(201)].map(problemsOf)).toEqual([1, 1, 1]);
  });

  test("P1: every key that begins with _ and is not known is an error; null is absent only for the known", () => {
    const nearest = (key: string) => readCall({ _tool: "a", [key]: null }, "a#1").problems[0]?.message ?? "";
    expect(nearest("_outputpaht")).toContain("_outputPath");
    expect(nearest("_reason")).toContain("_reasoningForCall");
    expect(nearest("_scope")).toContain("_scopes");
    expect(nearest("_")).not.toBe("");
    expect(nearest("__proto__x")).not.toBe("");
    const known = Object.fromEntries(META_PROPERTIES.filter((name) => name !== "_tool").map((name) => [name, null]));
    expect(readCall({ _tool: "a", ...known }, "a#1").problems).toEqual([]);
  });

  test("P1: a call is carried out by an activity or by a delegate", () => {
    expect(readCall({ _tool: "a", _activity: "x", _delegate: "y" }, "a#1").problems).toMatchObject([
      { code: "syntax", path: ["_activity"], message: expect.stringContaining("_delegate") },
    ]);
  });

  test("P1, P3: whatever a call holds, it is read", () => {
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom("†state.a", "††", "†", "†state..", "†state.a || †b"));
    const key = fc.oneof(fc.constantFrom(...META_PROPERTIES, "_x", "a", "__proto__"), fc.string());
    fc.assert(
      fc.property(fc.array(fc.dictionary(key, value, { maxKeys: 6 }), { maxLength: 3 }), (raw) => {
        const calls = readCalls(JSON.parse(JSON.stringify(raw)));
        expect(calls).toHaveLength(raw.length);
        for (const { problems } of calls) for (const { message } of problems) expect(message).not.toBe("");
      }),
    );
  });

  test("P3: a parameter may be nested deeper than the stack", () => {
    let value: Json = "†state.x";
    for (let depth = 0; depth < 8_000; depth++) value = [value];
    expect(readCall({ _tool: "a", value }, "a#1").reads).toHaveLength(1);
  });

  test("P7: a syntax error tells the character", () => {
    const { problems } = readCall({ _tool: "a", x: "†state.a | †b", _outputPath: "†state." }, "a#1");
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining("(at character 10)"),
      expect.stringContaining("(at character 8)"),
    ]);
  });

  test("P9: †state alone stands for its tool's keys, every alternative in its place", () => {
    const [call] = readCalls(
      [{ _tool: "a", _id: "x", _outputPath: "†state || †state.error" }],
      [{ call_id: "x", keys: ["one", "two"], writes: ["†state.back"] }],
    );
    const target = (...path: string[]) => ({ kind: "state", path });
    expect(call?.outputPath).toEqual([[target()], [target("error")]]);
    expect(call?.output).toEqual([[target("one"), target("two"), target("back")], [target("error")]]);
    expect(withKnown(call?.outputPath ?? null, { call_id: "x", keys: [] })).toEqual(call?.outputPath);
    const second = readCall({ _tool: "a", _outputPath: "†state.a || †state" }, "x").outputPath;
    expect(withKnown(second, { call_id: "x", keys: [] })).toEqual(second);
    expect(withKnown(null, { call_id: "x", writes: ["†state.back"] })).toEqual([[target("back")]]);
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
