import { describe, expect, test } from "vitest";
import { createSchemaChecker } from "../../engine/json-schema.ts";
import type { Json } from "../../session/json/json.ts";
import { type OutputPath, parseOutputPath } from "../output-path.ts";
import { errorAlternative, statusOfTargets } from "./targets.ts";

function outputOf(text: string): OutputPath {
  const parsed = parseOutputPath(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}

describe("P12: a target is taken when anything exists at it", () => {
  test.each<[string, Json, string]>([
    ["†state.x", {}, "free"],
    ["†state.x", { x: null }, "taken"],
    ["†state.x.y", { x: {} }, "free"],
    ["†state.x.y", { x: { y: false } }, "taken"],
    ["†state.x.y.z", { x: { y: 1 } }, "below_scalar"],
    ["†state.x.y", { x: null }, "below_scalar"],
    ["†state.x.y", { x: [1] }, "below_scalar"],
    ["†state.constructor", {}, "free"],
    ["†state.__proto__.x", {}, "free"],
    ["†state", { x: 1 }, "free"],
    ["†state", 1, "below_scalar"],
  ])("%s in %j is %s", (path, state, status) => {
    expect(statusOfTargets(state, outputOf(path)[0] ?? [])).toBe(status);
  });

  test("P11: a fan-out is taken when one of its targets is", () => {
    const [fanOut = []] = outputOf("†state.a && †state.b.c");
    expect(statusOfTargets({ a: 1 }, fanOut)).toBe("taken");
    expect(statusOfTargets({ b: 1 }, fanOut)).toBe("below_scalar");
    expect(statusOfTargets({ a: 1, b: 1 }, fanOut)).toBe("taken");
    expect(statusOfTargets(undefined, fanOut)).toBe("free");
  });
});

describe("P10: an error goes to the last alternative if that one is meant for errors", () => {
  const checker = createSchemaChecker();

  test.each([
    ["†state.x || †state.error", 1],
    ["†state.x || †state.order.failed", 1],
    ["†state.x || †state.failure", 1],
    ["†state.x || †state.y || †state.pay_error", 2],
    ["†state.x || †state.payError", 1],
    ["†state.x || †state.error && †state.failure", 1],
    ["†state.x || †state.error && †state.other", null],
    ["†state.error || †state.x", null],
    ["†state.x || †state.errors", null],
    ["†state.error", null],
  ])("by its name: %s", (path, alternative) => {
    expect(errorAlternative(outputOf(path), undefined, checker)).toBe(alternative);
  });

  const failure = {
    type: "object",
    properties: { code: { type: "string" }, message: { type: "string" } },
    required: ["code", "message"],
  };

  test.each<[string, Json, number | null]>([
    ["a property", { properties: { trouble: failure } }, 1],
    ["a definition", { properties: { trouble: { $ref: "#/$defs/failure" } }, $defs: { failure } }, 1],
    ["the state's definition", { $ref: "#/$defs/state", $defs: { state: { properties: { trouble: failure } } } }, 1],
    ["one of several schemas", { allOf: [{ properties: { trouble: failure } }, { type: "object" }] }, 1],
    ["any other key", { additionalProperties: failure }, 1],
    ["one of its forms", { properties: { trouble: { anyOf: [{ type: "null" }, failure] } } }, 1],
    ["another type", { properties: { trouble: { type: "string" } } }, null],
    ["more than an error has", { properties: { trouble: { ...failure, required: ["at"] } } }, null],
    ["nothing", { properties: { trouble: {} } }, null],
    ["nothing but a description", { properties: { trouble: { description: "for the clerks" } } }, null],
    ["no such path", { properties: { other: failure } }, null],
    ["that it is never there", { additionalProperties: false }, null],
  ])("or by the state's schema there, which says: %s", (_what, schema, alternative) => {
    expect(errorAlternative(outputOf("†state.x || †state.trouble"), schema, checker)).toBe(alternative);
  });
});
