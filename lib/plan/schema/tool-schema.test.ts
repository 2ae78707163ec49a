import { describe, expect, test } from "vitest";
import { createSchemaChecker } from "../../engine/json-schema.ts";
import type { JsonObject } from "../../session/json/json.ts";
import type { Tool } from "../tool.ts";
import { effectiveCall, metaFaults, outputSchema, overrideTool, parameterSchema, rootKeys } from "./tool-schema.ts";

const checker = createSchemaChecker();

function toolOf(schema: JsonObject, more: Partial<Tool> = {}): Tool {
  return { name: "refund", description: "", schema, has_activity: true, requires_confirmation: false, ...more };
}

const refund = toolOf({
  type: "object",
  additionalProperties: false,
  required: ["amount", "_reasoningForCall", "_outputPath", "_output"],
  properties: {
    amount: { type: "number" },
    _outputPath: { const: "†state.receipt || †state.error" },
    _scopes: { const: ["state"] },
    _activity: { enum: ["pay", "payLater"] },
    _id: { pattern: "^refund-" },
    _reasoningForCall: { type: "string", minLength: 3 },
    _output: { const: { paid: true }, properties: { paid: { type: "boolean" }, at: { $ref: "#/$defs/time" } } },
  },
  $defs: { time: { type: "string" } },
});

describe("what a tool's schema says", () => {
  test("P2: parts of a schema that refers to itself find what they refer to", () => {
    const tree = toolOf({
      required: ["name", "_outputPath"],
      properties: {
        name: { type: "string" },
        child: { $ref: "#/$defs/node" },
        same: { const: { $ref: "#" } },
        _outputPath: { const: "†state.tree" },
        _output: { type: "array", items: { $ref: "#/properties/name" } },
      },
      $defs: {
        node: { required: ["name"], properties: { name: { type: "string" }, child: { $ref: "#/$defs/node" } } },
      },
    });
    expect(checker.faults(parameterSchema(tree), { name: "a", child: { name: "b", child: { name: "c" } } })).toEqual(
      [],
    );
    expect(checker.faults(parameterSchema(tree), { name: "a", child: { name: "b", child: {} } })).toHaveLength(1);
    expect(checker.faults(parameterSchema(tree), { name: "a", same: { $ref: "#" } })).toEqual([]);
    expect(checker.faults(outputSchema(tree) ?? false, ["a"])).toEqual([]);
    expect(checker.faults(outputSchema(tree) ?? false, [1])).toHaveLength(1);
    const itself = toolOf({ properties: { name: { type: "string" }, child: { $ref: "#" } } });
    expect(checker.faults(parameterSchema(itself), { child: { child: { name: 1 } } })).toHaveLength(1);
  });

  test("P1: fields without _ are the parameters, _output is the result", () => {
    expect(parameterSchema(refund)).toMatchObject({
      properties: { amount: { type: "number" } },
      required: ["amount"],
      additionalProperties: false,
    });
    expect(Object.keys(parameterSchema(refund).properties ?? {})).toEqual(["amount"]);
    expect(checker.faults(parameterSchema(refund), { amount: 5 })).toEqual([]);
    expect(parameterSchema(refund)).toBe(parameterSchema(refund));
    expect(outputSchema(refund)).toBe(outputSchema(refund));
    expect(outputSchema(toolOf({}))).toBeUndefined();
    expect(checker.faults(parameterSchema(toolOf({})), "no object")).not.toEqual([]);
  });

  test("P13: the result's schema finds the definitions and the dialect of its tool's", () => {
    const output = outputSchema(toolOf({ ...refund.schema, $schema: "http://json-schema.org/draft-07/schema#" }));
    expect(output).toMatchObject({ $schema: "http://json-schema.org/draft-07/schema#" });
    expect(checker.faults(outputSchema(refund) ?? true, { paid: true, at: 5 })).toContainEqual(
      expect.objectContaining({ path: ["at"], message: "must be a string" }),
    );
  });

  test("P9: †state alone stands for the keys that the result declares", () => {
    expect(rootKeys(refund)).toEqual(["paid", "at"]);
    expect(rootKeys(toolOf({ properties: { _output: { type: "string" } } }))).toEqual([]);
    expect(rootKeys(toolOf({}))).toEqual([]);
  });

  test("P2: what is prescribed is taken when the call leaves it out, the result's schema never", () => {
    const call: JsonObject = { _tool: "refund", _scopes: null, amount: 5 };
    expect(effectiveCall(call, refund)).toEqual({
      _tool: "refund",
      amount: 5,
      _outputPath: "†state.receipt || †state.error",
      _scopes: ["state"],
    });
    expect(call).toEqual({ _tool: "refund", _scopes: null, amount: 5 });
    expect(effectiveCall({ _tool: "refund", _outputPath: "†state.x" }, refund)).toMatchObject({
      _outputPath: "†state.x",
    });
    expect(effectiveCall(call, undefined)).toBe(call);
    const hidden = effectiveCall(JSON.parse('{"_tool": "refund", "__proto__": 1}'), refund);
    expect(Object.hasOwn(hidden, "__proto__")).toBe(true);
  });

  test("P2: a call that contradicts its tool's schema is told where; what it need not say, it may leave out", () => {
    const good = effectiveCall({ _tool: "refund", _reasoningForCall: "eligible", amount: 5 }, refund);
    expect(metaFaults(good, refund, checker)).toEqual([]);
    expect(
      metaFaults(
        { _outputPath: "†state.x", _scopes: ["input"], _activity: "steal", _id: "x", _reasoningForCall: "ok" },
        refund,
        checker,
      ),
    ).toMatchObject([
      { path: ["_id"], message: "must match the pattern ^refund-" },
      { path: ["_activity"], message: 'must be one of "pay", "payLater"' },
      { path: ["_scopes"], message: 'must be ["state"]' },
      { path: ["_outputPath"], message: 'must be "†state.receipt || †state.error"' },
      { path: ["_reasoningForCall"], message: "must have at least 3 characters" },
    ]);
    expect(metaFaults({ _outputPath: null }, refund, checker)).toMatchObject([
      { path: ["_outputPath"], message: "is required by the tool refund" },
      { path: ["_reasoningForCall"], message: "is required by the tool refund" },
    ]);
    expect(metaFaults({ ...good, _output: { paid: false } }, refund, checker)).toEqual([]);
  });

  test("P2a: the later definition wins, and a risk is never lowered", () => {
    const risky = toolOf({ title: "earlier" }, { requires_confirmation: true });
    const mild = toolOf({ title: "later" }, { description: "new" });
    expect(overrideTool(risky, mild)).toEqual({ ...mild, requires_confirmation: true });
    expect(overrideTool(mild, risky)).toEqual(risky);
    expect(overrideTool(mild, mild)).toEqual(mild);
    expect(overrideTool(risky, { ...mild, handler: 5 }).handler).toBe(5);
  });
});

test("P2, P2a: a latent tool whose result is fixed prescribes it, as any other meta-property", () => {
  const latent = toolOf({ properties: { _output: { const: { agreed: true } } } }, { has_activity: false });
  expect(effectiveCall({ _tool: "ask" }, latent)).toEqual({ _tool: "ask", _output: { agreed: true } });
  expect(effectiveCall({ _tool: "ask", _output: 1 }, latent)).toEqual({ _tool: "ask", _output: 1 });
  expect(effectiveCall({ _tool: "ask", _delegate: "clerk" }, latent)).toEqual({ _tool: "ask", _delegate: "clerk" });
});

test("P9: the keys that a result declares, by a definition too", () => {
  const user = { type: "object", properties: { name: {}, age: {} } };
  expect(rootKeys(toolOf({ properties: { _output: user } }))).toEqual(["name", "age"]);
  const defined = toolOf({ properties: { _output: { $ref: "#/$defs/user" } }, $defs: { user } });
  expect(rootKeys(defined)).toEqual(["name", "age"]);
  const endless = toolOf({ properties: { _output: { $ref: "#/$defs/a" } }, $defs: { a: { $ref: "#/$defs/a" } } });
  expect(rootKeys(endless)).toEqual([]);
});
