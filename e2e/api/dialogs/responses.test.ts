import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import OpenAI, { APIError } from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Answer,
  type ResponsesServer,
  startResponsesServer,
} from "../../../lib/model/testing/responses-server.ts";
import { withOutside } from "../setup/outside.ts";
import { temporaryDirectory, withServer } from "../setup/server.ts";

const outside = withOutside(async () => ({ body: { paid: true } }));
let model: ResponsesServer;
let agentsDir: string;
let client: OpenAI;
beforeAll(async () => {
  agentsDir = await temporaryDirectory();
  const agent = { instructions: "Help.", mode: "full", tools: ["pay"] };
  await writeFile(join(agentsDir, "shop.json"), JSON.stringify(agent));
  model = await startResponsesServer();
});
afterAll(() => model.close());
const server = withServer({
  OBELUS_MODEL: "worker",
  get OBELUS_MODEL_BASE_URL() {
    return model.baseUrl;
  },
  get OBELUS_AGENTS_DIR() {
    return agentsDir;
  },
  get OBELUS_HTTP_TOOL_HOSTS() {
    return outside.host;
  },
});
beforeAll(async () => {
  client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: "none", maxRetries: 0 });
  await server.post("/api/tools", {
    name: "pay",
    description: "Pays",
    schema: { type: "object", properties: { amount: { type: "number" } } },
    activity: { type: "http", url: `http://${outside.host}/pay` },
    requires_confirmation: true,
  });
});

const LOOK = {
  ...{ type: "function" as const, name: "look_up", description: "Looks up", strict: false },
  parameters: { type: "object", properties: { word: { type: "string" } } },
};
const call = (call_id: string, name: string, params: object): Answer => ({
  items: [{ call_id, name, arguments: JSON.stringify(params) }],
});
const says = (text: string): Answer => ({ items: [{ text }], delta: 4 });
const lastAsked = () => JSON.stringify(model.requests.at(-1)?.asked.input);

async function failure(asked: Promise<unknown>): Promise<APIError> {
  const error = await asked.catch((thrown: unknown) => thrown);
  if (!(error instanceof APIError)) throw new Error(`expected an error of the API, not ${String(error)}`);
  return error;
}

describe("an agent by the Responses API, asked by OpenAI's package", () => {
  it("answers, and goes on by previous_response_id", async () => {
    model.queue(says("Hello!"));
    const first = await client.responses.create({
      ...{ model: "shop", input: "Hi", user: "ann", metadata: { page: "1" } },
      instructions: "The shop is closed today.",
    });
    expect(first).toMatchObject({ status: "completed", output_text: "Hello!", model: "shop", error: null });
    expect(first.usage).toMatchObject({ input_tokens: 120, output_tokens: 45, total_tokens: 165 });
    // Beside the agent's own.
    expect(model.requests.at(-1)?.asked.instructions).toContain("Help.");
    expect(lastAsked()).toContain("closed today");
    model.queue(says("Again!"));
    const second = await client.responses.create({ model: "shop", input: "And?", previous_response_id: first.id });
    expect(second.output_text).toBe("Again!");
    const { id } = second.conversation ?? {};
    expect((await server.get(`/api/conversations/${id}`)).body).toMatchObject({
      ...{ agent_id: "shop", user_id: "ann", channel: "responses", message_count: 4 },
    });
    expect(await client.responses.retrieve(first.id)).toMatchObject({ id: first.id, output_text: "Hello!" });
    expect(await client.responses.retrieve(second.id)).toMatchObject({ output_text: "Again!" });
  });

  it("streams", async () => {
    const text = "Hello 👋 there, this is streamed.";
    model.queue({ items: [{ text }], delta: 3 });
    const stream = client.responses.stream({ model: "shop", input: "Hi" });
    const deltas: string[] = [];
    const types: string[] = [];
    stream.on("response.output_text.delta", ({ delta }) => deltas.push(delta));
    stream.on("event", ({ type }) => types.push(type));
    const final = await stream.finalResponse();
    expect(deltas.join("")).toBe(text);
    expect(final).toMatchObject({ status: "completed", output_text: text });
    expect([types[0], types.at(-1)]).toEqual(["response.created", "response.completed"]);
  });

  it.each([true, false])("functions are carried out by the caller (streamed: %s)", async (streamed) => {
    model.queue(call("call_1", "look_up", { word: "obelus" }), says("A sign."));
    const ask = async (body: Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, "stream">) =>
      streamed ? client.responses.stream(body).finalResponse() : client.responses.create(body);
    const first = await ask({ model: "shop", input: "What is an obelus?", tools: [LOOK] });
    expect(first.status).toBe("completed");
    expect(first.output).toMatchObject([
      { type: "function_call", call_id: "call_1", name: "look_up", arguments: '{"word":"obelus"}' },
    ]);
    const output = { type: "function_call_output" as const, call_id: "call_1", output: '{"is":"÷"}' };
    const second = await ask({ model: "shop", input: [output], previous_response_id: first.id, tools: [LOOK] });
    expect(second.output_text).toBe("A sign.");
    expect(second.conversation).toEqual(first.conversation);
    expect(lastAsked()).toContain("÷");
    // Each has its own part of the run.
    expect((await client.responses.retrieve(first.id)).output).toMatchObject([{ type: "function_call" }]);
    expect((await client.responses.retrieve(second.id)).output_text).toBe("A sign.");
  });

  it("callers that send everything that was said", async () => {
    model.queue(
      call("call_all", "look_up", { word: "x" }),
      call("call_more", "look_up", { word: "y" }),
      says("Found."),
    );
    const said: OpenAI.Responses.ResponseInputItem[] = [
      { role: "developer", content: "Be brief." },
      { role: "user", content: "I am Ann" },
      { role: "assistant", content: "Hello Ann" },
      { role: "user", content: "Look up x" },
    ];
    const first = await client.responses.create({ model: "shop", input: said, tools: [LOOK] });
    expect(lastAsked()).toContain("Hello Ann");
    expect(lastAsked()).toContain("Be brief.");
    const [asked] = first.output;
    if (asked?.type !== "function_call") throw new Error("no call");
    const output = { type: "function_call_output" as const, call_id: asked.call_id, output: "yes" };
    const second = await client.responses.create({ model: "shop", input: [...said, asked, output], tools: [LOOK] });
    const [more] = second.output;
    if (more?.type !== "function_call") throw new Error("no second call");
    const another = { type: "function_call_output" as const, call_id: more.call_id, output: "as well" };
    const whole = [...said, asked, output, more, another];
    const third = await client.responses.create({ model: "shop", input: whole, tools: [LOOK] });
    expect(third.output_text).toBe("Found.");
  });

  it("an approval leaves the response incomplete; read later, it has what came of it", async () => {
    model.queue(call("p1", "pay", { amount: 1 }), says("Paid."));
    const waiting = await client.responses.create({ model: "shop", input: "Pay" });
    expect(waiting).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "approval_required", confirmations: [expect.any(String)] },
    });
    expect(waiting.output_text).toContain("waiting for approval");
    const { items } = (await server.get("/api/confirmations?status=requested")).body;
    await server.post(`/api/confirmations/${items[0].id}/decision`, { decision: "approve" });
    for (;;) {
      const now = await client.responses.retrieve(waiting.id);
      if (now.status !== "completed") continue;
      expect(now.output_text).toContain("Paid.");
      break;
    }
  });

  it("a conversation of its own name", async () => {
    model.queue(says("One."), says("Two."));
    const ask = (input: string) => client.responses.create({ model: "shop", input, conversation: "mine" });
    await ask("1");
    expect((await ask("2")).conversation).toEqual({ id: "mine" });
    expect((await server.get("/api/conversations/mine")).body.message_count).toBe(4);
  });

  it("a run that fails", async () => {
    model.queue({ status: 400, message: "no such field" });
    const failed = await client.responses.create({ model: "shop", input: "Break" });
    expect(failed).toMatchObject({ status: "failed", error: { code: "model_failed" } });
    expect(failed.error?.message).toContain("no such field");
  });

  it("a disconnect does not end the run", async () => {
    const held = Promise.withResolvers<void>();
    model.queue({
      items: [{ text: "Done anyway" }],
      before: (type) => (type.endsWith("done") ? held.promise : undefined),
    });
    const stream = await client.responses.create({ model: "shop", input: "Go", stream: true });
    let id = "";
    for await (const event of stream) {
      if (event.type === "response.created") id = event.response.id;
      break;
    }
    held.resolve();
    for (;;) {
      const now = await client.responses.retrieve(id);
      if (now.status === "completed") return expect(now.output_text).toBe("Done anyway");
    }
  });
});

describe("a request that cannot be answered is refused in OpenAI's form", () => {
  const ask = (body: object) => failure(client.responses.create({ model: "shop", input: "Hi", ...body } as never));

  it.each<[string, object, number, string, string | null]>([
    ["an unknown agent", { model: "nobody" }, 404, "no agent nobody", null],
    ["no input", { input: [] }, 400, "must not be empty", "input"],
    [
      "an image",
      { input: [{ role: "user", content: [{ type: "input_image", image_url: "x" }] }] },
      400,
      "only text",
      "input.0.content.0.type",
    ],
    ["another format", { text: { format: { type: "json_object" } } }, 400, "must be text", "text.format.type"],
    ["a tool of the provider", { tools: [{ type: "web_search" }] }, 400, "must be function", "tools.0.type"],
    ["a tool of this server", { tools: [{ ...LOOK, name: "pay" }] }, 400, "a tool of this server", "tools.0.name"],
    ["a forced tool", { tool_choice: "required" }, 400, "must be auto", "tool_choice"],
    [
      "an unknown response",
      { previous_response_id: "resp_x" },
      400,
      "not the id of a response",
      "previous_response_id",
    ],
    ["a channel's conversation", { conversation: "telegram:1" }, 400, "a conversation of a channel", "conversation"],
    ["both ways to go on", { previous_response_id: "resp_x", conversation: "c" }, 400, "send one", null],
    [
      "a result of no call",
      { input: [{ type: "function_call_output", call_id: "nope", output: "" }] },
      409,
      "nope",
      null,
    ],
    ["too much", { input: "x".repeat(100_001) }, 400, "100000", "input.0.content"],
    ["background", { background: true }, 400, "must be false", "background"],
  ])("%s", async (_, body, status, words, param) => {
    const error = await ask(body);
    expect([error.status, error.message, error.param]).toEqual([status, expect.stringContaining(words), param]);
    expect(error.type).toBe("invalid_request_error");
  });

  it("a new message while the run waits for results, and an unknown response", async () => {
    model.queue(call("call_w", "look_up", { word: "x" }));
    const first = await client.responses.create({ model: "shop", input: "Look", tools: [LOOK] });
    const error = await ask({ input: "Never mind", previous_response_id: first.id });
    expect([error.status, error.message]).toEqual([409, expect.stringContaining("results of call_w")]);
    expect((await failure(client.responses.retrieve("resp_nope"))).status).toBe(404);
    const forged = first.id.replace(/_\d+$/u, "_1");
    expect(forged).not.toBe(first.id);
    expect((await failure(client.responses.retrieve(forged))).status).toBe(404);
    expect((await ask({ previous_response_id: forged })).param).toBe("previous_response_id");
  });
});

describe("with sign-in", () => {
  const closed = withServer({ OBELUS_AUTH: "1" });
  it("a wrong key is refused in OpenAI's form", async () => {
    const stranger = new OpenAI({ baseURL: `${closed.url}/v1`, apiKey: "obl_wrong", maxRetries: 0 });
    const error = await failure(stranger.responses.create({ model: "shop", input: "Hi" }));
    expect(error.status).toBe(401);
  });
});
