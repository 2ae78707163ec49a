import { getEventListeners } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ModelAnswer, ModelError, type ModelPart, type ModelRequest } from "../engine/model.ts";
import { createEgressPolicy } from "../outgoing/egress.ts";
import type { JsonObject } from "../session/json/json.ts";
import { createModel, type ModelEndpoint } from "./model-client.ts";
import { type Answer, type ResponsesServer, startResponsesServer } from "./testing/responses-server.ts";
import { MODEL_APIS, type ModelApi } from "./wire.ts";

const KEY = "sk-secret-of-the-test";
const REQUEST: ModelRequest = {
  instructions: "Plan.",
  input: [{ role: "user", content: "Hello" }],
  tools: [],
  format: null,
  previous_response_id: null,
  store: false,
};

const EVENTS = { "content-type": "text/event-stream" };

let server: ResponsesServer;
/** The API of the tests that run on both. */
let api: ModelApi;
beforeEach(async () => {
  server = await startResponsesServer();
  api = "responses";
});
afterEach(() => server.close());

function modelAt(more: Partial<ModelEndpoint> = {}) {
  return createModel({ baseUrl: server.baseUrl, api, apiKey: KEY, model: "test-1", folder: null, ...more });
}

/** The same tests on both APIs. */
function onBoth(name: string, tests: () => void): void {
  describe.each(MODEL_APIS)(`${name} (%s)`, (each) => {
    beforeEach(() => {
      api = each;
    });
    tests();
  });
}

/** All parts of the response to a request. */
async function ask(answer: Answer, request = REQUEST, model = modelAt()): Promise<ModelPart[]> {
  server.queue(answer);
  return await collect(model.respond(request, new AbortController().signal));
}

async function collect(parts: AsyncIterable<ModelPart>): Promise<ModelPart[]> {
  const all: ModelPart[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

async function answerTo(answer: Answer, request = REQUEST): Promise<ModelAnswer> {
  const last = (await ask(answer, request)).at(-1);
  if (last?.type !== "done") throw new Error("the answer was not done");
  return last.answer;
}

/** The error for a response. */
async function failureOf(answer: Answer, model = modelAt()): Promise<ModelError> {
  const error = await ask(answer, REQUEST, model).catch((thrown: unknown) => thrown);
  if (!(error instanceof ModelError)) throw new Error(`expected a ModelError, not ${inspect(error)}`);
  return error;
}

describe("a request on the wire", () => {
  test("has the input, is streamed, and not stored", async () => {
    const format = { name: "solution", schema: { type: "object" } };
    const tools = [{ type: "function", name: "f", parameters: {}, strict: false }];
    await ask({ items: [{ text: "{}" }] }, { ...REQUEST, format, tools });
    expect(server.requests[0]?.body).toEqual({
      model: "test-1",
      instructions: "Plan.",
      input: REQUEST.input,
      tools,
      text: { format: { type: "json_schema", strict: true, ...format } },
      stream: true,
      store: false,
    });
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(server.requests[0]?.headers["openai-project"]).toBeUndefined();
  });

  test("as a chat completion has the same, without what only the Responses API has", async () => {
    const format = { name: "solution", schema: { type: "object" } };
    const tools = [{ type: "function", name: "f", parameters: {}, strict: false }];
    const input: JsonObject[] = [
      { role: "user", content: '{"type":"data"}' },
      { role: "user", content: "What is the weather?" },
      { role: "assistant", content: "I look." },
      { type: "function_call", call_id: "c1", name: "f", arguments: "{}" },
      { type: "function_call", call_id: "c2", name: "f", arguments: '{"a":1}' },
      { type: "function_call_output", call_id: "c1", output: "1" },
      { type: "function_call_output", call_id: "c2", output: "2" },
      { type: "function_call", call_id: "c3", name: "f", arguments: "{}" },
      { type: "function_call_output", call_id: "c3", output: "3" },
    ];
    await ask({ items: [{ text: "{}" }] }, { ...REQUEST, input, format, tools }, modelAt({ api: "chat" }));
    const calling = (id: string, args: string) => ({ id, type: "function", function: { name: "f", arguments: args } });
    expect(server.requests[0]?.body).toEqual({
      model: "test-1",
      messages: [
        { role: "system", content: "Plan." },
        // Roles alternate.
        { role: "user", content: '{"type":"data"}\n\nWhat is the weather?' },
        { role: "assistant", content: "I look.", tool_calls: [calling("c1", "{}"), calling("c2", '{"a":1}')] },
        { role: "tool", tool_call_id: "c1", content: "1" },
        { role: "tool", tool_call_id: "c2", content: "2" },
        { role: "assistant", content: null, tool_calls: [calling("c3", "{}")] },
        { role: "tool", tool_call_id: "c3", content: "3" },
      ],
      tools: [{ type: "function", function: { name: "f", parameters: {}, strict: false } }],
      response_format: { type: "json_schema", json_schema: { strict: true, ...format } },
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  test("has Yandex Cloud's folder as the project and in the model's URI", async () => {
    const model = modelAt({ model: "yandexgpt/latest", folder: "b1g" });
    await ask({ items: [{ text: "hi" }] }, REQUEST, model);
    expect(model.model).toBe("gpt://b1g/yandexgpt/latest");
    expect(server.requests[0]?.body.model).toBe("gpt://b1g/yandexgpt/latest");
    expect(server.requests[0]?.headers["openai-project"]).toBe("b1g");
  });

  test("a model's URI is used unchanged", () => {
    expect(modelAt({ model: "ds://b1g/tuned", folder: "b1g" }).model).toBe("ds://b1g/tuned");
  });

  test("has no key if none is required", async () => {
    await ask({ items: [{ text: "hi" }] }, REQUEST, modelAt({ apiKey: null }));
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  test.each([
    ["https://api.openai.com/v1", "openai"],
    ["https://ai.api.cloud.yandex.net/v1", "yandex"],
    ["https://mine.openai.azure.com/openai/v1", "azure.ai.openai"],
    ["https://notopenai.com/v1", "notopenai.com"],
    ["http://127.0.0.1:8080/v1", "127.0.0.1:8080"],
  ])("%s is %s by the GenAI conventions, or its host", (baseUrl, provider) => {
    expect(modelAt({ baseUrl }).provider).toBe(provider);
  });
});

onBoth("a response", () => {
  test("streams its text with any chunking, and ends with its usage", async () => {
    const text = 'Ünïcode 👩🏽‍🚀 and "quotes"\n';
    const parts = await ask({ items: [{ text }], delta: 3, bytes: 5 });
    expect(parts.slice(0, -1).every((part) => part.type === "text")).toBe(true);
    expect(parts.flatMap((part) => (part.type === "text" ? [part.delta] : [])).join("")).toBe(text);
    expect(parts.at(-1)).toMatchObject({
      type: "done",
      answer: {
        response_id: api === "chat" ? "chatcmpl-1" : "resp_1",
        text,
        input_tokens: 120,
        output_tokens: 45,
        finish_reason: "stop",
      },
    });
  });

  test("P19a: has text and parallel function calls, each once and in order", async () => {
    const first = { call_id: "c1", name: "weather", arguments: '{"city":"Oslo"}' };
    const second = { call_id: "c2", name: "weather", arguments: '{"city":"Rome"}' };
    const parts = await ask({ items: [{ text: "One moment." }, first, second], delta: 4 });
    expect(parts.filter((part) => part.type === "call")).toEqual([
      { type: "call", ...first },
      { type: "call", ...second },
    ]);
    expect(parts.at(-1)).toMatchObject({
      answer: {
        text: "One moment.",
        calls: [first, second],
        finish_reason: "tool_calls",
        output: [{ type: "message" }, { type: "function_call", call_id: "c1" }, { type: "function_call" }],
      },
    });
  });

  test("that is too long says so", async () => {
    expect(await answerTo({ items: [{ text: "cut of" }], incomplete: "max_output_tokens" })).toMatchObject({
      text: "cut of",
      finish_reason: "length",
    });
  });
});

onBoth("temporary failures are retried", () => {
  test.each([429, 500, 503])("after %i, as soon as Retry-After allows", async (status) => {
    server.queue({ status, headers: { "retry-after": "0" } });
    expect(await answerTo({ items: [{ text: "at last" }] })).toMatchObject({ text: "at last" });
    expect(server.requests).toHaveLength(2);
  });

  test("permanent failures are not", async () => {
    expect((await failureOf({ status: 400, message: "no such field" })).message).toContain("no such field");
    expect(server.requests).toHaveLength(1);
  });
});

onBoth("a failure has a code and a message with a remedy", () => {
  const again = { "retry-after-ms": "0" };

  test("a wrong key, without showing it", async () => {
    const error = await failureOf({ status: 401, code: "invalid_api_key", message: `Incorrect API key: ${KEY}` });
    expect(error.code).toBe("unauthorized");
    expect(error.message).toContain("OBELUS_MODEL_API_KEY");
    expect(inspect(error, { depth: null })).not.toContain(KEY);
  });

  test.each<[string, Answer, string, string]>([
    ["a key without the right", { status: 403 }, "forbidden", "right"],
    ["an unknown model", { status: 404, code: "model_not_found" }, "unknown_model", "test-1"],
    [
      "an account that is spent",
      { status: 429, code: "insufficient_quota", headers: { "x-should-retry": "false" } },
      "quota",
      "billing",
    ],
    ["a request that is too long", { status: 400, code: "context_length_exceeded" }, "too_long", "less context"],
    [
      "a failure inside the stream",
      { items: [], failed: { code: "server_error", message: "worker died" } },
      "provider_error",
      "worker died",
    ],
    [
      "a rate limit inside the stream",
      { items: [], failed: { code: "rate_limit_exceeded", message: "" } },
      "rate_limited",
      "try again",
    ],
    ["a model that refuses", { items: [{ refusal: "I cannot help with that" }] }, "refused", "I cannot help"],
    ["a stream that breaks off", { items: [{ text: "{" }], cut: "response.output_text.done" }, "cut_stream", "middle"],
    [
      "an event that is no JSON",
      { items: [{ text: "x" }], garble: { type: "response.output_text.delta", data: "{oops" } },
      "malformed_stream",
      "stream",
    ],
    [
      "an event of another shape",
      {
        items: [{ text: "x" }],
        garble: { type: "response.output_text.delta", data: '{"type":"response.output_text.delta"}' },
      },
      "malformed_stream",
      "stream",
    ],
    ["an end without an end event", { items: [{ text: "x" }], drop: "response.completed" }, "cut_stream", "middle"],
  ])("%s", async (_what, answer, code, words) => {
    const error = await failureOf(answer);
    expect(error.code).toBe(code);
    expect(error.message).toContain(words);
  });

  test("a lasting rate limit, with the time to wait", async () => {
    const limited = { status: 429, headers: { ...again, "retry-after": "7" } };
    server.queue(limited, limited, limited);
    const error = await failureOf(limited);
    expect([error.code, error.message]).toEqual(["rate_limited", expect.stringContaining("in 7 s")]);
    expect(server.requests).toHaveLength(4);
  });

  test("a provider that always fails", async () => {
    const failed = { status: 502, headers: again };
    server.queue(failed, failed, failed);
    expect((await failureOf(failed)).code).toBe("provider_error");
  });

  test("a refused connection", async () => {
    const error = await failureOf({ silent: true }, modelAt({ baseUrl: `http://127.0.0.1:${await closedPort()}/v1` }));
    expect(error.code).toBe("unreachable");
    expect(error.message).toContain("ECONNREFUSED");
  });

  test("Security: a name that resolves to a private address", async () => {
    const openEgress = createEgressPolicy([], (_host, _options, answer) =>
      answer(null, [{ address: "10.0.0.1", family: 4 }]),
    );
    const { port } = new URL(server.baseUrl);
    const error = await failureOf(
      { silent: true },
      modelAt({ baseUrl: `http://model.example:${port}/v1`, openEgress }),
    );
    expect(error.code).toBe("unreachable");
    expect(error.message).toContain("add it to OBELUS_PRIVATE_HOSTS");
    expect(server.requests).toEqual([]);
  });

  test("a response that does not start", async () => {
    server.queue({ silent: true }, { silent: true }, { silent: true });
    const error = await failureOf({ silent: true }, modelAt({ patience: { beginning: 30, silence: 60_000 } }));
    expect(error.code).toBe("timeout");
  });

  test("a response that stops", async () => {
    const forever = new Promise<void>(() => undefined);
    const error = await failureOf(
      { items: [{ text: "half" }], before: (type) => (type === "response.output_text.done" ? forever : undefined) },
      modelAt({ patience: { beginning: 60_000, silence: 50 } }),
    );
    expect(error.code).toBe("timeout");
  });

  test("a response with only a status", async () => {
    const mute = createHttpServer((_, response) => response.writeHead(200, EVENTS).flushHeaders());
    await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
    const address = mute.address();
    const port = typeof address === "object" ? address?.port : null;
    const silent = modelAt({
      ...{ baseUrl: `http://127.0.0.1:${port}/v1`, patience: { beginning: 60_000, silence: 50 } },
    });
    const error = await failureOf({ silent: true }, silent);
    expect(error.code).toBe("timeout");
    mute.closeAllConnections();
    mute.close();
  });
});

onBoth("an aborted request", () => {
  test("throws the reason and closes the connection", async () => {
    const forever = new Promise<void>(() => undefined);
    server.queue({ items: [{ text: "half" }], before: (type) => (type.endsWith("text.done") ? forever : undefined) });
    const abort = new AbortController();
    const reason = new Error("the run was cancelled");
    const asked = (async () => {
      for await (const part of modelAt().respond(REQUEST, abort.signal)) if (part.type === "text") abort.abort(reason);
    })();
    await expect(asked).rejects.toBe(reason);
    await server.requests[0]?.aborted;
  });

  test("is not listened for after its end, nor after a failure", async () => {
    const { signal } = new AbortController();
    server.queue({ items: [{ text: "hello" }] });
    await collect(modelAt().respond(REQUEST, signal));
    server.queue({ status: 400 });
    await expect(collect(modelAt().respond(REQUEST, signal))).rejects.toThrow();
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("is not sent if it was aborted before", async () => {
    const reason = new Error("too late");
    const parts = collect(modelAt().respond(REQUEST, AbortSignal.abort(reason)));
    await expect(parts).rejects.toBe(reason);
    expect(server.requests).toHaveLength(0);
  });

  test("whose stream is abandoned closes the connection", async () => {
    const forever = new Promise<void>(() => undefined);
    server.queue({ items: [{ text: "half" }], before: (type) => (type.endsWith("text.done") ? forever : undefined) });
    for await (const part of modelAt().respond(REQUEST, new AbortController().signal)) if (part.type === "text") break;
    await server.requests[0]?.aborted;
  });
});

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}
