import { describe, expect, test } from "vitest";
import type { ModelAnswer } from "../model.ts";
import { nativeItems } from "./native-calls.ts";
import { readSolution } from "./read-solution.ts";
import { tool } from "./testing/tools.ts";

const WEATHER = tool("weather.now", {
  type: "object",
  properties: {
    city: { type: "string" },
    unit: { type: "string" },
    hour: { type: ["integer", "null"] },
    place: { type: "object", properties: { zip: { type: "string" } } },
  },
  required: ["city"],
});
const ASKED = { ask: "plan", tools: [WEATHER], output_schema: null } as const;

function answer(text: string, calls: ModelAnswer["calls"] = [], finish_reason = "stop"): ModelAnswer {
  return { response_id: "r", text, calls, output: [], input_tokens: 1, output_tokens: 1, finish_reason };
}

function native(call_id: string, args: string, name = "weather_now") {
  return { call_id, name, arguments: args };
}

describe("P19: an answer is read as {calls, output}", () => {
  test("null is absent, but for a parameter whose schema names null", () => {
    const said = {
      _tool: "weather.now",
      _id: "w",
      _outputPath: null,
      city: "Oslo",
      unit: null,
      hour: null,
      place: { zip: null },
    };
    expect(readSolution(answer(JSON.stringify({ calls: [said], output: null })), ASKED)).toEqual({
      solution: { calls: [{ _tool: "weather.now", _id: "w", city: "Oslo", hour: null, place: {} }], output: undefined },
      errors: [],
    });
  });

  test("JSON text stands for the value it writes", () => {
    const text = JSON.stringify({
      calls: [{ _tool: "any", _id: "a", _json: '{"x":{"y":1}}', z: { _json: "[1]" } }],
      output: { _json: '{"a":"†state.x"}' },
    });
    expect(readSolution(answer(text), ASKED).solution).toEqual({
      calls: [{ _tool: "any", _id: "a", x: { y: 1 }, z: [1] }],
      output: { a: "†state.x" },
    });
  });

  test("keys of an output that are null are left out by its schema", () => {
    const output_schema = { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } };
    const { solution } = readSolution(answer('{"calls":[],"output":{"a":null,"b":"x"}}'), { ...ASKED, output_schema });
    expect(solution.output).toEqual({ b: "x" });
  });

  test("a key such as __proto__ is data", () => {
    const { solution } = readSolution(answer('{"calls":[{"_tool":"t","__proto__":{"x":1}}],"output":null}'), ASKED);
    expect(Object.keys(solution.calls[0] ?? {})).toEqual(["_tool", "__proto__"]);
  });

  test.each([
    ["no JSON", "Sure, here you go", "not JSON"],
    ["JSON that was cut", '{"calls":[{"_tool":"a"', "not JSON"],
    ["no object", "[]", "not a JSON object"],
    ["another object", '{"answer":1}', "neither calls nor output"],
    ["calls that are no list", '{"calls":{}}', "not an array"],
    ["a call that is no object", '{"calls":[{"_tool":"a"},5]}', "calls[1]"],
    ["nesting without end", `{"output":${"[".repeat(5_000)}${"]".repeat(5_000)}}`, "nested deeper"],
    ["half of a surrogate pair", '{"output":"\\ud83d"}', "surrogate"],
    ["nothing", "", "not JSON"],
  ])("%s goes back to the model as an error", (_what, text, reason) => {
    const { solution, errors } = readSolution(answer(text), ASKED);
    expect(solution).toEqual({ calls: [], output: undefined });
    expect(errors).toEqual([
      { call: null, error: { code: "malformed_answer", message: expect.stringContaining(reason) } },
    ]);
  });

  test("an answer that was cut for its length says so", () => {
    expect(readSolution(answer('{"calls":[', [], "length"), ASKED).errors[0]?.error.message).toContain("cut off");
  });

  test("words are the output where no plan was asked for, and a plan is read all the same", () => {
    const asked = { ...ASKED, ask: "text" } as const;
    expect(readSolution(answer("It is raining."), asked).solution).toEqual({ calls: [], output: "It is raining." });
    expect(readSolution(answer('{"total":5}'), asked).solution.output).toBe('{"total":5}');
    expect(readSolution(answer('{"calls":[{"_tool":"a"}]}'), asked).solution.calls).toEqual([{ _tool: "a" }]);
  });
});

describe("P19a: native function calls are calls of the iteration", () => {
  test("beside a plan, by the tool's own name, with their call_id as their id", () => {
    const read = readSolution(
      answer('{"calls":[{"_tool":"weather.now","_id":"w","city":"Oslo"}],"output":null}', [
        native("c1", '{"city":"Rome","unit":null,"_outputPath":"†state.rome","_id":"mine"}'),
        native("c2", "", "other"),
      ]),
      ASKED,
    );
    expect(read).toEqual({
      solution: {
        calls: [
          { _tool: "weather.now", _id: "w", city: "Oslo" },
          { _tool: "weather.now", _id: "c1", city: "Rome", _outputPath: "†state.rome" },
          { _tool: "other", _id: "c2" },
        ],
        output: undefined,
      },
      errors: [],
    });
  });

  test("without any words are no malformed plan", () => {
    expect(readSolution(answer("", [native("c1", '{"city":"Rome"}')]), ASKED).errors).toEqual([]);
  });

  test("words beside them are a remark, not the output", () => {
    const read = readSolution(answer("Let me look.", [native("c1", "{}")]), { ...ASKED, ask: "text" });
    expect(read.solution.output).toBeUndefined();
  });

  test.each(["{oops", "[]", '{"city":'])(
    "arguments that cannot be read (%s) are an error of that call alone",
    (args) => {
      const read = readSolution(answer("", [native("c1", args), native("c2", '{"city":"Rome"}')]), ASKED);
      expect(read.solution.calls).toEqual([{ _tool: "weather.now", _id: "c2", city: "Rome" }]);
      expect(read.errors).toEqual([
        {
          call: { _tool: "weather.now", _id: "c1" },
          error: { code: "malformed_arguments", message: expect.any(String) },
        },
      ]);
    },
  );

  test("each gets its result back, an error too, and one for each instance", () => {
    const asked = answer("Let me look.", [
      native("c1", "{}"),
      native("c2", "{}"),
      native("c3", "{oops"),
      native("c4", "{}"),
    ]);
    const call = (id: string) => ({ _tool: "weather.now", _id: id });
    const items = nativeItems(
      asked,
      [
        { call: call("c1"), instance: "①", status: "succeeded", output: 20 },
        { call: call("c1"), instance: "②", status: "failed", error: { code: "timeout", message: "too slow" } },
        { call: call("c2"), instance: "", status: "skipped", reason: "the branch was not taken" },
      ],
      [{ call: call("c3"), error: { code: "malformed_arguments", message: "no JSON" } }],
    );
    expect(items.slice(0, 2)).toEqual([
      { role: "assistant", content: "Let me look." },
      { type: "function_call", ...native("c1", "{}") },
    ]);
    const outputs = items.flatMap((item) =>
      item.type === "function_call_output" ? [JSON.parse(String(item.output))] : [],
    );
    expect(outputs).toEqual([
      { "①": 20, "②": { status: "failed", error: { code: "timeout", message: "too slow" } } },
      { status: "skipped", reason: "the branch was not taken" },
      { error: { code: "malformed_arguments", message: "no JSON" } },
      { error: { code: "not_run", message: expect.any(String) } },
    ]);
  });

  test("an answer without them adds nothing to the history", () => {
    expect(nativeItems(answer("{}"), [], [])).toEqual([]);
  });
});
