import { createServer } from "node:http";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { type ModelAnswer, ModelError, type ModelPart, type ModelRequest } from "../engine/model.ts";
import { createModel } from "./model-client.ts";
import { recorded, startWireServer, type WireAnswer, type WireServer } from "./testing/wire-server.ts";

const KEY = "sk-secret-of-the-test";
const REQUEST: ModelRequest = {
  ...{ instructions: "Plan.", input: [{ role: "user", content: "Hello" }], tools: [], format: null },
  ...{ previous_response_id: null, store: true },
};
const CHAINED = { ...REQUEST, previous_response_id: "resp_gone" };
/** The text in `text.sse`. */
const TEXT = 'Hi there! Привет, 👩🏽‍🚀.\nA "quoted" line: data: x';
const WEATHER = ['{"city":"Paris, France"}', '{"city":"Bogot\\u00e1, Колумбия"}'];

let server: WireServer;
beforeEach(async () => {
  server = await startWireServer();
});
afterEach(() => server.close());

async function ask(answer: WireAnswer, request = REQUEST): Promise<ModelPart[]> {
  server.queue(answer);
  const model = createModel({ baseUrl: server.baseUrl, apiKey: KEY, model: "test-1", folder: null });
  const parts: ModelPart[] = [];
  for await (const part of model.respond(request, new AbortController().signal)) parts.push(part);
  return parts;
}

async function answerTo(answer: WireAnswer): Promise<ModelAnswer> {
  const last = (await ask(answer)).at(-1);
  if (last?.type !== "done") throw new Error("the answer was not done");
  return last.answer;
}

async function failureOf(answer: WireAnswer, request = REQUEST): Promise<ModelError> {
  const error = await ask(answer, request).catch((thrown: unknown) => thrown);
  if (!(error instanceof ModelError)) throw new Error(`expected a ModelError, not ${inspect(error)}`);
  return error;
}

/** The streamed text. */
function streamedIn(parts: readonly ModelPart[]): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.delta] : [])).join("");
}

describe("an endless response is cut off", () => {
  const delta = (text: string) => `data: ${JSON.stringify({ type: "response.output_text.delta", delta: text })}\n\n`;
  const words = delta("on and on ".repeat(10_000));
  test.each([
    ["words", "", words, 200, "answer_too_large"],
    [
      "events that say nothing",
      "",
      `data: {"type":"response.in_progress","x":"${"x".repeat(500_000)}"}\n\n`,
      200,
      "answer_too_large",
    ],
    ["one event that never ends", "data: ", "x".repeat(1_000_000), 200, "answer_too_large"],
    ["a refusal by its status", "", "x".repeat(1_000_000), 400, "bad_request"],
  ])("%s", async (_what, beginning, again, status, code) => {
    const closed = Promise.withResolvers<void>();
    const endless = createServer((request, response) => {
      request.resume();
      response.on("close", closed.resolve);
      response.writeHead(status, { "content-type": "text/event-stream", "x-should-retry": "false" });
      const more = () => {
        while (!response.destroyed && response.write(again));
      };
      response.on("drain", more);
      response.write(beginning, more);
    });
    await new Promise<void>((resolve) => endless.listen(0, "127.0.0.1", resolve));
    const { port } = z.object({ port: z.int() }).parse(endless.address());
    const baseUrl = `http://127.0.0.1:${port}/v1`;
    const model = createModel({ baseUrl, apiKey: KEY, model: "test-1", folder: null });
    const all = async () => {
      for await (const _ of model.respond(REQUEST, new AbortController().signal));
    };
    await expect(all()).rejects.toMatchObject({ code });
    await closed.promise;
    endless.close();
  });
});

describe("D7: a response as documented", () => {
  test("with text: streamed, with id and usage", async () => {
    const parts = await ask({ body: await recorded("text.sse") });
    expect(parts.filter(({ type }) => type === "text")).toHaveLength(6);
    expect(streamedIn(parts)).toBe(TEXT);
    expect(parts.at(-1)).toMatchObject({
      answer: {
        response_id: "resp_67c9fdcecf488190bdd9a0409de3a1ec07b8b0ad4e5eb654",
        ...{ text: TEXT, calls: [], input_tokens: 37, output_tokens: 11, finish_reason: "stop" },
      },
    });
  });

  test("D6: with reasoning, text and two calls: complete, each call once", async () => {
    const parts = await ask({ body: await recorded("reasoning-words-and-calls.sse") });
    expect(parts.map(({ type }) => type)).toEqual(["text", "text", "call", "call", "done"]);
    expect(parts.at(-1)).toMatchObject({
      answer: {
        text: "I look at both.",
        calls: WEATHER.map((written) => ({ name: "get_weather", arguments: written })),
        output: [{ type: "reasoning" }, { type: "message" }, { type: "function_call" }, { type: "function_call" }],
        ...{ finish_reason: "tool_calls", output_tokens: 73 },
      },
    });
  });

  test.each([1, 2, 3, 5, 7, 64, 1_000])("reads the same, %i bytes at a time", async (bytes) => {
    const text = await ask({ body: await recorded("text.sse"), bytes });
    expect([streamedIn(text), text.length]).toEqual([TEXT, 7]);
    const { calls } = await answerTo({ body: await recorded("reasoning-words-and-calls.sse"), bytes });
    expect(calls.map((call) => call.arguments)).toEqual(WEATHER);
  });

  test.each<[string, (body: string) => string]>([
    ["lines that end with CRLF", (body) => body.replaceAll("\n", "\r\n")],
    ["comments that keep the connection alive", (body) => `: ping\n\n${body.replaceAll("\n\n", "\n\n: ping\n\n")}`],
    ["data without the names of events", (body) => body.replaceAll(/^event: .*\n/gm, "")],
    ["a mark after the end", (body) => `${body}data: [DONE]\n\n`],
    [
      "events that nobody knows yet",
      (body) => body.replace("\n\n", '\n\nevent: response.new\ndata: {"type":"response.new","x":[1]}\n\n'),
    ],
  ])("reads the same with %s", async (_, changed) => {
    const body = changed(await recorded("text.sse"));
    expect(await answerTo({ body, bytes: 11 })).toMatchObject({ text: TEXT, input_tokens: 37 });
  });

  test.each([
    ["incomplete.sse", "length"],
    ["filtered.sse", "content_filter"],
  ])("%s tells why it is not whole", async (name, finish_reason) => {
    expect(await answerTo({ body: await recorded(name) })).toMatchObject({ text: "As of today, the", finish_reason });
  });
});

describe("D7: a failure in the stream has a code and a message", () => {
  test.each([
    ["refusal.sse", "refused", "I can't help with that"],
    ["failed.sse", "provider_error", "failed to generate"],
    ["failed-too-long.sse", "too_long", "less context"],
    ["error.sse", "rate_limited", "try again"],
    ["error-unknown.sse", "provider_error", "Something went wrong"],
  ])("%s", async (name, code, words) => {
    const error = await failureOf({ body: await recorded(name) });
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(words)]);
    expect(server.asked).toBe(1);
  });

  test("a truncated stream is not a response, wherever it ends", async () => {
    const body = await recorded("text.sse");
    const end = Buffer.byteLength(body.slice(0, body.indexOf("event: response.completed")));
    for (const cutAfter of [1, 700, end - 900, end - 300, end, end + 40]) {
      const { code } = await failureOf({ body, cutAfter });
      expect([cutAfter, code]).toEqual([cutAfter, "cut_stream"]);
    }
  });

  test.each<[string, (body: string) => string]>([
    ["broken JSON", (body) => body.replace('"delta":" there"', '"delta":" the')],
    ["an event of another form", (body) => body.replace('"delta":" there"', '"delta":7')],
    [
      "a function call without a name",
      (body) => body.replace('"type":"message","status":"completed"', '"type":"function_call"'),
    ],
  ])("%s is told as a fault of the stream", async (_, broken) => {
    expect((await failureOf({ body: broken(await recorded("text.sse")) })).code).toBe("malformed_stream");
  });
});

describe("D7: a refused request has a code and a message", () => {
  test.each([
    ["401-invalid-key.json", "unauthorized", "OBELUS_MODEL_API_KEY"],
    ["404-model.json", "unknown_model", "test-1"],
    ["400-too-long.json", "too_long", "less context"],
    ["400-no-output.json", "bad_request", "No tool output found"],
  ])("%s, and is not asked again", async (name, code, words) => {
    const error = await failureOf({ status: Number(name.slice(0, 3)), body: await recorded(name) });
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(words)]);
    expect(server.asked).toBe(1);
    expect(inspect(error, { depth: null })).not.toContain("sk-secr");
  });

  test.each(["400-forgotten.json", "400-malformed-id.json", "404-forgotten.json"])(
    "%s: the response that it goes on from is not known",
    async (name) => {
      const answer = { status: Number(name.slice(0, 3)), body: await recorded(name) };
      const error = await failureOf(answer, CHAINED);
      expect([error.code, error.message]).toEqual(["unknown_response", expect.stringContaining("resp_gone")]);
    },
  );

  test("a request without a previous response cannot have lost it", async () => {
    const body = await recorded("400-malformed-id.json");
    expect((await failureOf({ status: 400, body })).code).toBe("bad_request");
  });

  test("a chained request refused for another reason has not lost its response", async () => {
    const body = await recorded("400-no-output.json");
    expect((await failureOf({ status: 400, body }, CHAINED)).code).toBe("bad_request");
    expect((await failureOf({ status: 404, body: await recorded("404-model.json") }, CHAINED)).code).toBe(
      "unknown_model",
    );
  });
});

describe("D7: temporary failures are retried as Retry-After allows", () => {
  const now = () => new Date().toUTCString();

  test.each<[string, () => Record<string, string>]>([
    ["in seconds", () => ({ "retry-after": "0" })],
    ["by a date", () => ({ "retry-after": now() })],
    ["in milliseconds, which goes before seconds", () => ({ "retry-after-ms": "1", "retry-after": "50" })],
  ])("%s", async (_, headers) => {
    const body = await recorded("429-rate-limit.json");
    server.queue({ status: 429, headers: headers(), body });
    expect(await answerTo({ body: await recorded("text.sse") })).toMatchObject({ text: TEXT });
    expect(server.asked).toBe(2);
  });

  test("a 500, and then a response", async () => {
    const failed = { status: 500, headers: { "retry-after-ms": "1" }, body: await recorded("500-server.json") };
    server.queue(failed, failed);
    expect(await answerTo({ body: await recorded("text.sse") })).toMatchObject({ text: TEXT });
    expect(server.asked).toBe(3);
  });

  test.each<[string, string, () => string]>([
    ["in seconds", "in 30 s", () => "30"],
    ["by a date", "in \\d+ s", () => new Date(Date.now() + 30_000).toUTCString()],
    ["in words that nobody can read", "later", () => "soon"],
  ])("a limit that stays tells when to try again: told %s", async (_, words, after) => {
    const body = await recorded("429-rate-limit.json");
    const error = await failureOf({ status: 429, headers: { "retry-after-ms": "1", "retry-after": after() }, body });
    expect([error.code, error.message]).toEqual(["rate_limited", expect.stringMatching(words)]);
    expect(server.asked).toBe(4);
  });

  test("an exhausted account is reported", async () => {
    const error = await failureOf({
      ...{ status: 429, headers: { "retry-after-ms": "1" } },
      body: await recorded("429-quota.json"),
    });
    expect([error.code, error.message]).toEqual(["quota", expect.stringContaining("billing")]);
  });

  test("there are no retries once the response has begun", async () => {
    const body = await recorded("text.sse");
    expect((await failureOf({ body, cutAfter: 2_000 })).code).toBe("cut_stream");
    expect(server.asked).toBe(1);
  });
});
