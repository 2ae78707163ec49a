import { Ajv2020 } from "ajv/dist/2020.js";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createModel } from "../../model/model-client.ts";
import { type ResponsesServer, startResponsesServer } from "../../model/testing/responses-server.ts";
import { isJsonObject, type JsonObject } from "../../session/json/json.ts";
import type { ModelRequest } from "../model.ts";
import { nativeItems } from "./native-calls.ts";
import { createPlanner } from "./planner.ts";
import type { Planner, ProposeInput } from "./port.ts";
import { latentTool, tool } from "./testing/tools.ts";

const FORECAST = tool("forecast", {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "integer" } },
  required: ["city"],
});
const SUMMARY = latentTool("summarize", {
  type: "object",
  properties: { text: { type: "string" }, _output: { type: "array", items: { type: "string" } } },
  required: ["text"],
});
const INPUT: ProposeInput = {
  instructions: null,
  told: [],
  context: {
    data: [{ kind: "input", instance: "", data: { city: "Oslo" } }],
    text: [{ role: "user", content: "Will it rain?" }],
  },
  tools: [FORECAST, SUMMARY],
  delegates: [],
  output_schema: null,
  ask: "plan",
  previous: [],
  errors: [],
  history: [],
  chain: null,
};
const PLAN = {
  calls: [
    {
      _tool: "forecast",
      _id: "f",
      _reasoningForCall: "it tells",
      city: "†input.city",
      days: null,
      _scopes: null,
      _outputPath: "†state.rain",
    },
    {
      _tool: "summarize",
      _id: "s",
      _reasoningForCall: null,
      text: "†state.rain",
      _scopes: null,
      _delegate: null,
      _outputPath: null,
      _output: null,
    },
  ],
  output: null,
};
const signal = new AbortController().signal;

let server: ResponsesServer;
let planner: Planner;
beforeEach(async () => {
  server = await startResponsesServer();
  planner = createPlanner(createModel({ baseUrl: server.baseUrl, apiKey: "k", model: "m", folder: null }));
});
afterEach(() => server.close());

describe("P19: a plan over the wire", () => {
  test("is asked for in a format that takes it, and read back", async () => {
    server.queue({ items: [{ text: JSON.stringify(PLAN) }], delta: 7, bytes: 11 });
    const proposal = await planner.propose(INPUT, { signal });
    expect(proposal.solution).toEqual({
      calls: [
        { _tool: "forecast", _id: "f", _reasoningForCall: "it tells", city: "†input.city", _outputPath: "†state.rain" },
        { _tool: "summarize", _id: "s", text: "†state.rain" },
      ],
      output: undefined,
    });
    expect(proposal.errors).toEqual([]);
    expect(proposal.answer).toMatchObject({ response_id: "resp_1", input_tokens: 120, output_tokens: 45 });
    expect(new Ajv2020({ strict: false }).compile(formatIn(server.requests[0]?.body))(PLAN)).toBe(true);
  });

  test("the request is known before it is sent", async () => {
    server.queue({ items: [{ text: JSON.stringify(PLAN) }] });
    let sentBefore = -1;
    let kept: ModelRequest | null = null;
    const { request } = await planner.propose(INPUT, {
      signal,
      onRequest: async (asked) => {
        sentBefore = server.requests.length;
        kept = asked;
      },
    });
    expect(sentBefore).toBe(0);
    expect(kept).toBe(request);
    expect(server.requests[0]?.body.input).toEqual(request.input);
  });

  test("P20: each call is given while the plan still streams", async () => {
    let first: () => void = () => undefined;
    const seen = new Promise<void>((resolve) => {
      first = resolve;
    });
    // The end of the text is held back until the first call was seen.
    server.queue({
      items: [{ text: JSON.stringify(PLAN) }],
      delta: 5,
      before: (type) => (type === "response.output_text.done" ? seen : undefined),
    });
    const calls: JsonObject[] = [];
    const { solution } = await planner.propose(INPUT, {
      signal,
      onCall: (call) => {
        calls.push(call);
        first();
      },
    });
    expect(calls).toEqual(solution.calls);
  });

  test("an answer that cannot be read goes back with the next request", async () => {
    server.queue({ items: [{ text: "I think it will rain." }] }, { items: [{ text: JSON.stringify(PLAN) }] });
    const { errors } = await planner.propose(INPUT, { signal });
    await planner.propose({ ...INPUT, errors }, { signal });
    expect(JSON.stringify(server.requests[1]?.body.input)).toContain("malformed_answer");
  });

  test("a model that fails is a ModelError; a cancelled run's reason is passed on", async () => {
    server.queue({ status: 401 });
    await expect(planner.propose(INPUT, { signal })).rejects.toMatchObject({
      name: "ModelError",
      code: "unauthorized",
    });
    const reason = new Error("cancelled");
    await expect(planner.propose(INPUT, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

test("P19a: native calls run as calls, and their results are in the next request", async () => {
  const native = { call_id: "c1", name: "forecast", arguments: '{"city":"†input.city","_outputPath":"†state.rain"}' };
  server.queue({ items: [{ text: "Let me look." }, native] }, { items: [{ text: "No rain." }] });
  const calls: JsonObject[] = [];
  const asked = { ...INPUT, ask: "text" } as const;
  const first = await planner.propose(asked, { signal, onCall: (call) => calls.push(call) });
  expect(first.solution).toEqual({
    calls: [{ _tool: "forecast", _id: "c1", city: "†input.city", _outputPath: "†state.rain" }],
    output: undefined,
  });
  expect(calls).toEqual(first.solution.calls);
  const history = nativeItems(
    first.answer,
    first.solution.calls.map((call) => ({ call, instance: "", status: "succeeded", output: { rain: false } })),
    first.errors,
  );
  const second = await planner.propose({ ...asked, history }, { signal });
  expect(second.solution).toEqual({ calls: [], output: "No rain." });
  expect(server.requests[1]?.body.input).toEqual(
    expect.arrayContaining([
      { role: "assistant", content: "Let me look." },
      { type: "function_call", ...native },
      { type: "function_call_output", call_id: "c1", output: '{"rain":false}' },
    ]),
  );
});

describe("P2a: the result of a latent tool", () => {
  const question = { tool: SUMMARY, call: { _tool: "summarize", _id: "s" }, params: { text: "long" }, scopes: [] };

  test("is what the model says, whatever its type", async () => {
    server.queue({ items: [{ text: '{"result":["a","†b"]}' }] });
    const { produced } = await planner.produceOutput(question, { signal });
    expect(produced).toEqual({ ok: true, output: ["a", "†b"] });
    expect(formatIn(server.requests[0]?.body)).toMatchObject({
      properties: { result: { type: "array", items: { type: "string" } } },
    });
  });

  test.each(["[]", "{}", "dry"])("%s is none, and was paid for all the same", async (text) => {
    server.queue({ items: [{ text }] });
    const { produced, answer } = await planner.produceOutput(question, { signal });
    expect(produced).toMatchObject({ ok: false, error: { code: "malformed_answer" } });
    expect(answer.output_tokens).toBeGreaterThan(0);
  });
});

/** The schema that a request asks its answer to fit. */
function formatIn(body: JsonObject | undefined): JsonObject {
  const format = isJsonObject(body?.text) ? body.text.format : undefined;
  const schema = isJsonObject(format) ? format.schema : undefined;
  if (!isJsonObject(schema)) throw new Error("the request has no format");
  return schema;
}
