import { request } from "node:http";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type ModelAnswer, ModelError, type ModelPart, type ModelRequest } from "../../lib/engine/model.ts";
import { createModel } from "../../lib/model/model-client.ts";
import { type ScriptedModel, startScriptedModel } from "./server.ts";
import { crmConversation } from "./testing/crm.ts";

let scripted: ScriptedModel;
beforeAll(async () => {
  scripted = await startScriptedModel({ logger: pino({ level: "silent" }) });
});
afterAll(() => scripted.close());

const keyOf = ({ apiKey }: ScriptedModel) => ({ authorization: `Bearer ${apiKey}` });

function respond(request: Partial<ModelRequest>) {
  const client = createModel({ ...scripted, folder: null });
  const alone = { previous_response_id: null, store: false };
  const whole = { instructions: null, input: [], tools: [], format: null, ...alone, ...request };
  return client.respond(whole, new AbortController().signal);
}

async function partsOf(request: Partial<ModelRequest>): Promise<ModelPart[]> {
  const parts: ModelPart[] = [];
  for await (const part of respond(request)) parts.push(part);
  return parts;
}

async function answerTo(request: Partial<ModelRequest>): Promise<ModelAnswer> {
  const last = (await partsOf(request)).at(-1);
  if (last?.type !== "done") throw new Error("The answer was not done");
  return last.answer;
}

/** A request without the client. */
async function post(body: unknown): Promise<{ status: number; body: z.infer<typeof answered> }> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(`${scripted.baseUrl}/responses`, {
    method: "POST",
    body: text,
    headers: keyOf(scripted),
  });
  return { status: response.status, body: answered.parse(await response.json()) };
}
const answered = z.looseObject({
  id: z.string().optional(),
  output: z.array(z.looseObject({ content: z.array(z.looseObject({ text: z.string() })).optional() })).optional(),
  error: z.looseObject({ message: z.string(), code: z.string().nullable(), param: z.string().nullable() }).nullish(),
});
const textIn = ({ output = [] }: z.infer<typeof answered>) =>
  output.flatMap(({ content = [] }) => content.map(({ text }) => text)).join("");

const user = (content: string) => ({ role: "user", content });
const SHOW = { type: "function", name: "crm_deal_get", parameters: {}, strict: false };

describe("D7: the scripted model with the real client", () => {
  it("streams text in small pieces", async () => {
    const parts = await partsOf({ input: [user("hello")] });
    const deltas = parts.flatMap((part) => (part.type === "text" ? [part.delta] : []));
    expect(deltas.length).toBeGreaterThan(5);
    const last = parts.at(-1);
    expect(last).toMatchObject({ type: "done", answer: { text: deltas.join(""), finish_reason: "stop", calls: [] } });
    expect(last?.type === "done" && last.answer.input_tokens > 0 && last.answer.output_tokens > 0).toBe(true);
  });

  it("calls functions with unique ids", async () => {
    const asked = { input: [user("покажи сделку 123")], tools: [SHOW] };
    const answers = await Promise.all([answerTo(asked), answerTo(asked)]);
    for (const { calls, text, finish_reason } of answers)
      expect({ calls, text, finish_reason }).toEqual({
        calls: [{ call_id: expect.any(String), name: "crm_deal_get", arguments: '{"id":123}' }],
        text: "",
        finish_reason: "tool_calls",
      });
    expect(answers[0]?.calls[0]?.call_id).not.toBe(answers[1]?.calls[0]?.call_id);
  });

  it.each(["en", "ru"] as const)("holds a conversation in %s: shown, changed, denied, asked anew", async (locale) => {
    const crm = crmConversation(answerTo);
    const say = (message: string) => crm.conversation.say(message);
    const change = { en: "change its amount to 150k", ru: "измени её сумму на 150 000 ₽" }[locale];
    expect(await say(locale === "en" ? "show deal 123" : "покажи сделку 123")).toContain("Поставка станков");
    crm.verdict = { status: "denied", reason: "too much" };
    expect(await say(change)).toContain("too much");
    crm.verdict = null;
    expect(await say(change)).toMatch(/^(Done|Готово)/);
    expect(crm.deal.OPPORTUNITY).toBe(150_000);
  });

  it("many conversations at once are not mixed up", async () => {
    const ids = Array.from({ length: 50 }, (_, index) => 1_000 + index);
    const answers = await Promise.all(ids.map((id) => answerTo({ input: [user(`show deal ${id}`)], tools: [SHOW] })));
    expect(answers.map(({ calls }) => JSON.parse(calls[0]?.arguments ?? "{}").id)).toEqual(ids);
    expect(new Set(answers.map(({ response_id }) => response_id)).size).toBe(ids.length);
  });

  it("refuses what has to be JSON, and says what it is", async () => {
    const asked = partsOf({ input: [user("show deal 5")], format: { name: "solution", schema: { type: "object" } } });
    await expect(asked).rejects.toThrow(ModelError);
    await expect(asked).rejects.toMatchObject({ code: "refused", message: expect.stringContaining("OBELUS_MODEL") });
  });
});

describe("D7: on the wire", () => {
  it("an answer that is not streamed is one JSON object", async () => {
    const { status, body } = await post({ model: scripted.model, input: "hello" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ object: "response", status: "completed", model: scripted.model, error: null });
    expect(textIn(body)).toContain("Hello!");
  });

  it("goes on from an earlier answer: its language, and the results of its calls", async () => {
    const first = await post({ input: "покажи сделку 7", tools: [SHOW] });
    const [call] = first.body.output ?? [];
    const output = { type: "function_call_output", call_id: call?.call_id, output: '{"TITLE":"Станок"}' };
    const second = await post({ previous_response_id: first.body.id, input: [output], tools: [SHOW] });
    expect(textIn(second.body)).toContain("**Сделка 7: Станок**");
    const third = await post({ previous_response_id: second.body.id, input: "8" });
    expect(textIn(third.body)).toContain("На это я ответить не могу");
  });

  it("an answer that is not to be stored cannot be gone on from, and neither can an unknown one", async () => {
    const { body } = await post({ input: "hello", store: false });
    for (const previous_response_id of [body.id, "resp_unknown"]) {
      expect(await post({ previous_response_id, input: "hello" })).toEqual({
        status: 400,
        body: {
          error: {
            message: `Previous response with id '${previous_response_id}' not found.`,
            type: "invalid_request_error",
            param: "previous_response_id",
            code: "previous_response_not_found",
          },
        },
      });
    }
  });

  it.each([
    ["{oops", null, "JSON"],
    ["[1]", null, "object"],
    [{ input: 5 }, "input", "must be a text or a list"],
    [{}, "input", "must be a text or a list"],
    [{ input: "x", stream: "yes" }, "stream", "must be a boolean"],
    [{ input: [5] }, "input", "must be"],
  ])("%j is refused with the reason", async (body, param, words) => {
    expect(await post(body)).toMatchObject({
      status: 400,
      body: { error: { type: "invalid_request_error", param, message: expect.stringContaining(words) } },
    });
  });

  it("a request that is too large is refused", async () => {
    const { status, body } = await post("x".repeat(33 * 1024 * 1024));
    expect([status, body.error?.message]).toEqual([413, "The request is too long"]);
  });

  it("lists its model, and has no other route", async () => {
    const models = await fetch(`${scripted.baseUrl}/models`, { headers: keyOf(scripted) });
    expect(await models.json()).toMatchObject({ object: "list", data: [{ id: scripted.model, object: "model" }] });
    expect((await fetch(`${scripted.baseUrl}/files`, { headers: keyOf(scripted) })).status).toBe(404);
  });
});

describe("Security: it answers its own client only", () => {
  const ask = (headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const asked = request(`${scripted.baseUrl}/models`, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asked.on("error", reject).end();
    });

  it("and no other program, nor a page under another name for this machine", async () => {
    const other = { authorization: `Bearer ${"0".repeat(64)}` };
    for (const headers of [{}, other, { authorization: "Bearer " }]) expect(await ask(headers)).toBe(401);
    for (const host of ["evil.example", "localhost.evil.example:80", "127.0.0.1.evil.example"])
      expect(await ask({ ...keyOf(scripted), host })).toBe(403);
    expect(await ask(keyOf(scripted))).toBe(200);
  });
});

it("a closed server does not answer", async () => {
  const other = await startScriptedModel({ logger: pino({ level: "silent" }) });
  const models = `${other.baseUrl}/models`;
  expect((await fetch(models, { headers: keyOf(other) })).status).toBe(200);
  await other.close();
  await expect(fetch(models)).rejects.toThrow();
});

it("D7: at a pace, the first words arrive before the others, and a disconnected client does not block", async () => {
  const calm = await startScriptedModel({ logger: pino({ level: "silent" }), pace: 900 });
  const body = JSON.stringify({ model: calm.model, input: [user("hello")], stream: true });
  const leaving = new AbortController();
  const response = await fetch(`${calm.baseUrl}/responses`, {
    method: "POST",
    body,
    signal: leaving.signal,
    headers: keyOf(calm),
  });
  let heard = "";
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    heard += piece;
    if (heard.includes("response.output_text.delta")) break;
  }
  leaving.abort();
  expect(heard.split("event: response.output_text.delta")).toHaveLength(2);
  expect(heard).not.toContain("response.output_text.done");
  await calm.close();
});
