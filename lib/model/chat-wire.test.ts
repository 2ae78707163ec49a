import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ModelAnswer, ModelError, type ModelPart, type ModelRequest } from "../engine/model.ts";
import { createModel } from "./model-client.ts";
import { startWireServer, type WireAnswer, type WireServer } from "./testing/wire-server.ts";

const REQUEST: ModelRequest = {
  ...{ instructions: "Plan.", input: [{ role: "user", content: "Hello" }], tools: [], format: null },
  ...{ previous_response_id: null, store: false },
};

let server: WireServer;
beforeEach(async () => {
  server = await startWireServer();
});
afterEach(() => server.close());

async function ask(answer: WireAnswer): Promise<ModelPart[]> {
  server.queue(answer);
  const model = createModel({ baseUrl: server.baseUrl, api: "chat", apiKey: null, model: "local", folder: null });
  const parts: ModelPart[] = [];
  for await (const part of model.respond(REQUEST, new AbortController().signal)) parts.push(part);
  return parts;
}

async function answerTo(body: string, bytes?: number): Promise<ModelAnswer> {
  const last = (await ask({ body, ...(bytes !== undefined && { bytes }) })).at(-1);
  if (last?.type !== "done") throw new Error("the answer was not done");
  return last.answer;
}

async function failureOf(answer: WireAnswer): Promise<ModelError> {
  const error = await ask(answer).catch((thrown: unknown) => thrown);
  if (!(error instanceof ModelError)) throw new Error(`expected a ModelError, not ${inspect(error)}`);
  return error;
}

const stream = (...chunks: unknown[]) => chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
const DONE = "data: [DONE]\n\n";
const USAGE = { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 };
const choice = (delta: object, finish_reason: string | null = null) => ({
  id: "chatcmpl-7",
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason }],
});
const called = (...tool_calls: object[]) => choice({ role: "assistant", content: null, tool_calls });

describe("chunks of servers with chat completions", () => {
  const words = [choice({ role: "assistant", content: "" }), choice({ content: "Hi " }), choice({ content: "there" })];

  test.each<[string, string, [number, number]]>([
    [
      "usage in a chunk of its own",
      stream(...words, choice({}, "stop"), { id: "x", choices: [], usage: USAGE }) + DONE,
      [12, 5],
    ],
    ["usage beside the last choice", stream(...words, { ...choice({}, "stop"), usage: USAGE }) + DONE, [12, 5]],
    [
      "usage so far in each chunk",
      stream(...words.map((one) => ({ ...one, usage: { ...USAGE, completion_tokens: 1 } })), {
        ...choice({}, "stop"),
        usage: USAGE,
      }) + DONE,
      [12, 5],
    ],
    ["no usage", stream(...words, choice({}, "stop")) + DONE, [0, 0]],
    ["no mark at the end", stream(...words, choice({}, "stop")), [0, 0]],
    [
      "the words of a reasoning model",
      stream(choice({ reasoning_content: "Hm." }), ...words, choice({}, "stop")) + DONE,
      [0, 0],
    ],
  ])("%s", async (_, body, [input_tokens, output_tokens]) => {
    expect(await answerTo(body)).toMatchObject({
      text: "Hi there",
      input_tokens,
      output_tokens,
      finish_reason: "stop",
    });
    expect(await answerTo(body, 7)).toMatchObject({ text: "Hi there" });
  });

  test.each<[string, object[]]>([
    [
      "OpenAI's, in pieces",
      [
        called({ index: 0, id: "a", type: "function", function: { name: "look", arguments: "" } }),
        called({ index: 0, function: { arguments: '{"x":' } }),
        called({ index: 0, function: { arguments: "1}" } }),
        called({ index: 1, id: "b", type: "function", function: { name: "find", arguments: "{}" } }),
      ],
    ],
    [
      "whole, each with the same index",
      [
        called({ index: 0, id: "a", function: { name: "look", arguments: '{"x":1}' } }),
        called({ index: 0, id: "b", function: { name: "find", arguments: "{}" } }),
      ],
    ],
    [
      "both in one chunk",
      [
        called(
          { index: 0, id: "a", function: { name: "look", arguments: '{"x":1}' } },
          { index: 1, id: "b", function: { name: "find", arguments: "{}" } },
        ),
      ],
    ],
    [
      "with the id in each piece",
      [
        called({ index: 0, id: "a", function: { name: "look", arguments: '{"x"' } }),
        called({ index: 0, id: "a", function: { arguments: ":1}" } }),
        called({ index: 1, id: "b", function: { name: "find", arguments: "{}" } }),
      ],
    ],
  ])("calls: %s", async (_, chunks) => {
    for (const reason of ["tool_calls", "stop"]) {
      const parts = await ask({ body: stream(...chunks, choice({}, reason)) + DONE });
      const calls = [
        { call_id: "a", name: "look", arguments: '{"x":1}' },
        { call_id: "b", name: "find", arguments: "{}" },
      ];
      expect(parts.filter(({ type }) => type === "call")).toEqual(calls.map((call) => ({ type: "call", ...call })));
      expect(parts.at(-1)).toMatchObject({ answer: { calls, finish_reason: "tool_calls" } });
    }
  });

  test("calls without ids get some, each its own", async () => {
    const chunks = [0, 1].map((index) => called({ index, id: "", function: { name: "look", arguments: "{}" } }));
    const { calls } = await answerTo(stream(...chunks, choice({}, "tool_calls")) + DONE);
    expect(new Set(calls.map(({ call_id }) => call_id)).size).toBe(2);
    expect(calls.every(({ call_id }) => call_id !== "")).toBe(true);
  });
});

describe("failures of servers with chat completions", () => {
  test.each<[string, WireAnswer, string]>([
    [
      "llama.cpp: too long",
      {
        status: 400,
        body: '{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}',
      },
      "too_long",
    ],
    [
      "vLLM: too long",
      {
        status: 400,
        body: `{"error":{"message":"This model's maximum context length is 4096 tokens.","type":"BadRequestError","param":null,"code":400}}`,
      },
      "too_long",
    ],
    ["an error in the stream", { body: stream({ error: { code: 500, message: "worker died" } }) }, "provider_error"],
    ["an end in the middle", { body: stream(choice({ content: "Hi" })) }, "cut_stream"],
    [
      "a call without a name",
      { body: stream(called({ index: 0, id: "a", function: {} }), choice({}, "stop")) },
      "malformed_stream",
    ],
    ["something else", { body: stream({ type: "response.created" }) }, "malformed_stream"],
  ])("%s", async (_, answer, code) => {
    expect((await failureOf(answer)).code).toBe(code);
  });

  test("a server without the Responses API: the message names the setting", async () => {
    server.queue({ status: 404, body: '{"detail":"Not Found"}' });
    const model = createModel({ baseUrl: server.baseUrl, apiKey: null, model: "local", folder: null });
    const asked = model.respond(REQUEST, new AbortController().signal)[Symbol.asyncIterator]().next();
    await expect(asked).rejects.toMatchObject({ message: expect.stringContaining("OBELUS_MODEL_API=chat") });
  });
});
