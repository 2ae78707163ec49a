import { tool } from "./check-plan.ts";

// Tools and calls that the tests of validation share.

export const string = { type: "string" };
export const number = { type: "number" };
export const user = {
  type: "object",
  properties: { name: string, age: { type: "integer" } },
  required: ["name", "age"],
  additionalProperties: false,
};
export const tools = [
  tool("getUser", { id: string }, { output: user }),
  tool("greet", { name: string, to: string }, { output: string }),
  tool("count", { amount: number, user }, { output: number }),
  tool("any", { x: {} }),
  tool(
    "ask",
    { question: string },
    { has_activity: false, output: { type: "object", properties: { yes: string, no: string } } },
  ),
];
export const input = { type: "input", id: "u1", total: 5 };
export const getUser = { _tool: "getUser", _id: "get", id: "†input.id", _outputPath: "†state.user" };
