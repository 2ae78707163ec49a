import { describe, expect, test } from "vitest";
import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import type { ProposeInput } from "./port.ts";
import { outputRequest, solutionRequest } from "./request.ts";
import { strictFlaws } from "./testing/strict-flaws.ts";
import { latentTool, tool } from "./testing/tools.ts";

const REFUND = tool(
  "issueRefund",
  {
    type: "object",
    properties: {
      customerId: { type: "string" },
      amount: { type: "number" },
      note: { type: "string" },
      _outputPath: { const: "†state.receipt || †state.error" },
      _output: { type: "object", properties: { secret_field: { type: "string" } } },
    },
    required: ["customerId", "amount"],
  },
  { description: "Pays money back", requires_confirmation: true },
);
const SUMMARY = latentTool("summarize", {
  type: "object",
  properties: {
    text: { type: "string" },
    _output: { type: "object", properties: { summary: { type: "string" } }, required: ["summary"] },
    _outputPath: { enum: ["†state.short", "†state.long"] },
  },
  required: ["text", "_outputPath"],
});

const INPUT: ProposeInput = {
  instructions: null,
  told: [],
  context: {
    data: [
      { kind: "state", instance: "", data: { total: 5 }, schema: { type: "object" } },
      { kind: "input", instance: "", data: { customer: "c-1" }, description: "Who asks" },
    ],
    text: [
      { role: "system", content: "You are careful." },
      { role: "user", content: "I want my money back." },
    ],
  },
  tools: [REFUND, SUMMARY],
  delegates: [],
  output_schema: { type: "object", properties: { done: { type: "boolean" } }, required: ["done"] },
  ask: "plan",
  previous: [],
  errors: [],
  history: [],
  chain: null,
};

/** The schema of one tool's call in a request's format. */
function callOf(name: string, input = INPUT): JsonObject {
  const calls = at(solutionRequest(input).format?.schema ?? {}, "properties", "calls", "items", "anyOf");
  const found = Array.isArray(calls) ? calls.find((each) => at(each, "properties", "_tool", "const") === name) : null;
  if (!isJsonObject(found)) throw new Error(`no call of ${name}`);
  return found;
}

function at(value: Json | undefined, ...path: (string | number)[]): Json | undefined {
  return path.reduce<Json | undefined>((found, key) => {
    if (Array.isArray(found)) return found[Number(key)];
    return isJsonObject(found) ? found[key] : undefined;
  }, value);
}

function keysOf(schema: Json | undefined): string[] {
  return Object.keys(at(schema, "properties") ?? {});
}

/** What the messages of a request say, data as it was before it was written. */
function saidIn(input: ProposeInput): unknown[] {
  return solutionRequest(input).input.map(({ role, content }) =>
    typeof content === "string" && content.startsWith("{") ? JSON.parse(content) : { role, content },
  );
}

describe("P19: the request for a plan", () => {
  test("is one strict schema for {calls, output}, and offers no functions beside it", () => {
    const { format, tools } = solutionRequest(INPUT);
    expect(tools).toEqual([]);
    expect(strictFlaws(format?.schema ?? {})).toEqual([]);
    expect(keysOf(format?.schema ?? {})).toEqual(["calls", "output"]);
    expect(at(format?.schema, "properties", "output", "anyOf", 0, "properties", "done", "anyOf")).toEqual([
      { type: "boolean" },
      { $ref: "#/$defs/reference" },
    ]);
  });

  test("asks for a tool's parameters, each as a value or a reference, and for the meta-properties left open", () => {
    const call = callOf("issueRefund");
    expect(keysOf(call)).toEqual(["_tool", "_id", "_reasoningForCall", "customerId", "amount", "note", "_scopes"]);
    expect(at(call, "properties", "customerId")).toEqual({ type: "string" });
    expect(at(call, "properties", "amount")).toEqual({ anyOf: [{ type: "number" }, { $ref: "#/$defs/reference" }] });
    expect(at(call, "properties", "note")).toEqual({ anyOf: [{ type: "string" }, { type: "null" }] });
    expect(call.description).toBe("Pays money back\nEach execution requires approval.");
  });

  test("P2: what a tool prescribes is not asked for, what it limits is asked for within its limits", () => {
    expect(keysOf(callOf("issueRefund"))).not.toContain("_outputPath");
    expect(at(callOf("summarize"), "properties", "_outputPath")).toEqual({
      type: "string",
      enum: ["†state.short", "†state.long"],
    });
  });

  test("P2a: a latent tool's result is asked for, an activity's is not even shown", () => {
    expect(at(callOf("summarize"), "properties", "_output", "anyOf")).toEqual([
      {
        type: "object",
        properties: { summary: { type: "string" } },
        required: ["summary"],
        additionalProperties: false,
      },
      { type: "null" },
    ]);
    for (const ask of ["plan", "text"] as const)
      expect(JSON.stringify(solutionRequest({ ...INPUT, ask }))).not.toContain("secret_field");
  });

  test("names instances, kinds and delegates only where there are any", () => {
    expect(keysOf(callOf("summarize"))).not.toContain("_instance");
    const input: ProposeInput = {
      ...INPUT,
      delegates: [{ name: "translator", description: "Translates anything" }],
      context: {
        ...INPUT.context,
        data: [
          { kind: "state", instance: "①", data: {} },
          { kind: "state", instance: "②", data: {} },
          { kind: "glossary", instance: "", data: {} },
        ],
      },
    };
    const call = callOf("summarize", input);
    expect(at(call, "properties", "_instance", "anyOf", 0, "enum")).toEqual(["①", "②"]);
    expect(at(call, "properties", "_delegate", "anyOf", 0, "enum")).toEqual(["translator", "anonymous"]);
    expect(at(call, "properties", "_scopes", "anyOf", 0, "items", "enum")).toEqual(["state", "input", "glossary"]);
    expect(solutionRequest(input).instructions).toContain("†glossary");
    expect(solutionRequest(input).instructions).toContain("①, ②");
    expect(solutionRequest(input).instructions).toContain("translator: Translates anything");
  });

  test("without tools allows no calls", () => {
    const { format } = solutionRequest({ ...INPUT, tools: [] });
    expect(strictFlaws(format?.schema ?? {})).toEqual([]);
    expect(at(format?.schema, "properties", "calls", "maxItems")).toBe(0);
  });

  test("a tool that takes any parameters takes them as JSON text", () => {
    const open = tool("open", { type: "object", additionalProperties: true });
    expect(keysOf(callOf("open", { ...INPUT, tools: [open] }))).toContain("_json");
  });
});

describe("P19: the context as it is sent", () => {
  test("what stays comes first, the state as it is now last; data never speaks as the system", () => {
    expect(saidIn(INPUT)).toEqual([
      { type: "data", kind: "input", description: "Who asks", data: { customer: "c-1" } },
      { role: "system", content: "You are careful." },
      { role: "user", content: "I want my money back." },
      { type: "data", kind: "state", schema: { type: "object" }, data: { total: 5 } },
    ]);
    const data = solutionRequest(INPUT).input.filter(({ content }) => String(content).startsWith("{"));
    expect(data.map(({ role }) => role)).toEqual(["user", "user"]);
  });

  test("the last calls come back as the plan with what came of each, and errors as {call, error}", () => {
    const paid = { _tool: "issueRefund", _id: "r", customerId: "c-1", amount: 5, _outputPath: "†state.receipt" };
    const read = { _tool: "summarize", _id: "s", text: "†state.receipt" };
    const error = { code: "timeout", message: "The tool took too long" };
    const input: ProposeInput = {
      ...INPUT,
      context: { ...INPUT.context, data: [{ kind: "plan", instance: "", data: [] }] },
      previous: [
        { call: paid, instance: "", status: "succeeded", output: { id: 1 } },
        { call: read, instance: "①", status: "failed", error },
      ],
      errors: [{ call: read, error }],
    };
    expect(saidIn(input).slice(2)).toEqual([
      {
        type: "data",
        kind: "plan",
        data: [
          // Its output stands in the state.
          { call: paid, status: "succeeded" },
          { call: read, instance: "①", status: "failed", error },
        ],
      },
      { call: read, error },
    ]);
  });

  test("P19a: native calls go back with their results, and are not told twice", () => {
    const call = { _tool: "issueRefund", _id: "c1", amount: 5 };
    const history: JsonObject[] = [
      { type: "function_call", call_id: "c1", name: "issueRefund", arguments: '{"amount":5}' },
      { type: "function_call_output", call_id: "c1", output: '{"status":"failed"}' },
    ];
    const error = { code: "declined", message: "The bank said no" };
    const input: ProposeInput = {
      ...INPUT,
      history,
      previous: [{ call, instance: "", status: "failed", error }],
      errors: [{ call, error }],
    };
    expect(solutionRequest(input).input.slice(3, 5)).toEqual(history);
    expect(solutionRequest(input).input).toHaveLength(6);
  });
});

describe("P19a: tools as native functions", () => {
  const functions = (tools: ProposeInput["tools"]) => solutionRequest({ ...INPUT, tools, ask: "text" }).tools;

  test("are offered for an answer in words, with meta-properties as optional parameters", () => {
    const request = solutionRequest({ ...INPUT, ask: "text" });
    expect(request.format).toBeNull();
    const [refund, summary] = request.tools;
    expect(refund).toMatchObject({ type: "function", name: "issueRefund", strict: false });
    expect(at(refund, "parameters", "required")).toEqual(["customerId", "amount"]);
    expect(keysOf(at(refund, "parameters"))).toEqual(["customerId", "amount", "note", "_reasoningForCall", "_scopes"]);
    expect(at(refund, "parameters", "properties", "amount", "anyOf", 0)).toEqual({ type: "number" });
    expect(at(summary, "parameters", "required")).toEqual(["text", "_outputPath"]);
  });

  test("have names that the API takes, each its own", () => {
    const names = ["crm.deal.get", "crm_deal_get", "crm/deal/get", "погода", `x${"y".repeat(80)}`];
    const given = functions(names.map((name) => tool(name, { type: "object" }))).map(({ name }) => String(name));
    expect(new Set(given).size).toBe(names.length);
    expect(given.every((name) => /^[a-zA-Z0-9_-]{1,64}$/.test(name))).toBe(true);
    expect(given[1]).toBe("crm_deal_get");
  });
});

test("P2a: a latent tool's result is asked for in a request of its own, in its _output schema", () => {
  const request = outputRequest({
    tool: SUMMARY,
    call: { _tool: "summarize", _id: "s", text: "†state.text", _reasoningForCall: "for the list" },
    params: { text: "A long story" },
    scopes: [{ kind: "state", instance: "", data: { tone: "dry" } }],
  });
  expect(request.tools).toEqual([]);
  expect(request.format?.schema).toEqual({
    type: "object",
    properties: {
      result: {
        type: "object",
        properties: { summary: { type: "string" } },
        required: ["summary"],
        additionalProperties: false,
      },
    },
    required: ["result"],
    additionalProperties: false,
  });
  expect(request.input.map(({ content }) => JSON.parse(String(content)))).toEqual([
    { type: "data", kind: "state", data: { tone: "dry" } },
    { tool: "summarize", parameters: { text: "A long story" }, reason: "for the list" },
  ]);
});
