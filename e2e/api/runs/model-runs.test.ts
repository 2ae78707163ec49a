import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ResponsesServer, startResponsesServer } from "../../../lib/model/testing/responses-server.ts";
import { MODEL_APIS } from "../../../lib/model/wire.ts";
import type { JsonObject } from "../../../lib/session/json/json.ts";
import { readEvents } from "../setup/event-source.ts";
import { type TestServer, withServer } from "../setup/server.ts";

/** Latent tools and a delegate. */
const tools = [
  { name: "translate", description: "Translates a text", schema: { properties: { text: {}, to: {} } } },
  {
    name: "summarize",
    description: "Sums a text up",
    schema: { properties: { text: { type: "string" }, _output: { type: "string" } } },
  },
];
const context = [{ type: "input", text: "good morning" }];
const ENDS = ["run.finished", "run.failed", "run.cancelled"];

interface Run {
  conversation_id: string;
  run_id: string;
}

/** Starts a plan and resolves when its run has ended. */
async function run(server: TestServer, plan: JsonObject[], more: JsonObject = {}): Promise<Run> {
  const { status, body } = await server.post("/api/plans/run", { plan, tools, context, ...more });
  expect([status, body.detail]).toEqual([202, undefined]);
  const events = await readEvents(server.url, `/api/stream?conversation_id=${body.conversation_id}&after=0`);
  await events.find((event) => ENDS.includes(event.type) && event.data.run_id === body.run_id);
  events.close();
  return body;
}

const viewOf = async (server: TestServer, { conversation_id }: Run) =>
  (await server.get(`/api/conversations/${conversation_id}/view`)).body;
const eventsOf = async (server: TestServer, { conversation_id }: Run, type: string) =>
  (await server.get(`/api/conversations/${conversation_id}/events?type=${type}`)).body.items;

describe.each(MODEL_APIS)("with a model (%s)", (api) => {
  let model: ResponsesServer;
  beforeAll(async () => {
    model = await startResponsesServer();
  });
  afterAll(() => model.close());
  const server = withServer({
    OBELUS_MODEL: "scripted-1",
    OBELUS_MODEL_API: api,
    OBELUS_MODEL_API_KEY: "sk-secret-of-the-test",
    // Set when the model's server has started, which is before ours.
    get OBELUS_MODEL_BASE_URL() {
      return model.baseUrl;
    },
  });
  /** The model's next response on the wire. */
  const say = (...sayings: JsonObject[]) =>
    model.queue(...sayings.map((saying) => ({ items: [{ text: JSON.stringify(saying) }], delta: 7 })));

  it("P27, P19: a delegate without a plan is planned by the model, iteration by iteration, also after a 500", async () => {
    const registered = await server.post("/api/delegates", {
      name: "translator",
      description: "Translates",
      context: [{ role: "system", content: "You translate." }],
      output_schema: { type: "object", properties: { said: { type: "string" } }, required: ["said"] },
    });
    expect(registered.status).toBe(201);
    model.queue({ status: 500, headers: { "retry-after-ms": "0" } });
    say(
      { calls: [{ _tool: "summarize", _id: "s", _output: "morgen", _outputPath: "†state.s" }], output: { said: 5 } },
      { calls: [], output: { said: "†state.s" } },
    );
    const before = model.requests.length;
    const plan = [
      { _tool: "translate", _id: "t", _delegate: "translator", text: "†input.text", _outputPath: "†state.t" },
    ];
    const ran = await run(server, plan);
    const view = await viewOf(server, ran);
    expect(view.state).toEqual({ "": { t: { said: "morgen" } } });
    expect(view.runs).toMatchObject([
      { id: ran.run_id, parent_run_id: null, status: "finished" },
      { parent_run_id: ran.run_id, status: "finished", iteration: 2 },
    ]);
    expect(model.requests).toHaveLength(before + 3);
    const [, first, second] = model.requests.slice(before);
    expect(first?.api).toBe(api);
    expect(JSON.stringify(first?.asked.input)).toContain("You translate.");
    expect(JSON.stringify(second?.asked.input)).toContain("invalid_output");
    // The causes, down to the model.
    const [requested] = await eventsOf(server, ran, "model.requested");
    const [responded] = await eventsOf(server, ran, "model.responded");
    expect(responded.caused_by).toBe(requested.id);
    expect(responded.payload).toMatchObject({ model: "scripted-1", input_tokens: 120, output_tokens: 45 });
    expect(JSON.stringify(await eventsOf(server, ran, "model.requested"))).not.toContain("sk-secret-of-the-test");
  });

  it("P27: anonymous is an empty context: what the scopes do not name is not sent", async () => {
    say({ calls: [], output: "god morgen" });
    const before = model.requests.length;
    const plan = [
      { _tool: "translate", _id: "t", _delegate: "anonymous", text: "†input.text", _outputPath: "†state.t" },
    ];
    const secret = { type: "state", secret: "mine" };
    const ran = await run(server, plan, { context: [...context, secret] });
    expect((await viewOf(server, ran)).state[""]).toEqual({ secret: "mine", t: "god morgen" });
    const asked = JSON.stringify(model.requests[before]?.asked);
    expect(asked).toContain("good morning");
    expect(asked).not.toContain("mine");
  });

  it("P2a: a latent tool's result is requested from the model, also after a 500, and written where the call says", async () => {
    model.queue({ status: 500, headers: { "retry-after-ms": "0" } });
    say({ result: "a greeting" });
    const plan = [{ _tool: "summarize", _id: "s", text: "†input.text", _outputPath: "†state.s" }];
    const ran = await run(server, plan);
    expect((await viewOf(server, ran)).state[""]).toEqual({ s: "a greeting" });
    expect(await eventsOf(server, ran, "model.requested")).toHaveLength(1);
  });

  it("a model that keeps failing fails the call with a remedy, and it can be run again", async () => {
    model.queue({ status: 401, code: "invalid_api_key", message: "Incorrect API key: sk-secret-of-the-test" });
    const plan = [{ _tool: "summarize", _id: "s", text: "†input.text", _outputPath: "†state.s" }];
    const ran = await run(server, plan);
    const [failed] = await eventsOf(server, ran, "call.failed");
    expect(failed.payload.error).toMatchObject({ code: "unauthorized" });
    expect(failed.payload.error.message).toContain("OBELUS_MODEL_API_KEY");
    say({ result: "a greeting" });
    const { status } = await server.post(`/api/runs/${ran.run_id}/resume`, {});
    expect(status).toBe(202);
    const events = await readEvents(server.url, `/api/stream?conversation_id=${ran.conversation_id}&after=0`);
    await events.find((event) => event.type === "run.finished");
    events.close();
    expect((await viewOf(server, ran)).state[""]).toEqual({ s: "a greeting" });
  });
});

describe("without a model", () => {
  const server = withServer();

  it("P2a, P27: what needs a model fails with no_model, and can be handled as an error", async () => {
    const plan: JsonObject[] = [
      { _tool: "summarize", _id: "s", text: "†input.text", _outputPath: "†state.s || †state.s_error" },
      { _tool: "translate", _id: "t", _delegate: "anonymous", _outputPath: "†state.t || †state.t_error" },
    ];
    const ran = await run(server, plan);
    const view = await viewOf(server, ran);
    expect(view.state[""]).toMatchObject({ s_error: { code: "no_model" }, t_error: { code: "no_model" } });
    expect(view.runs[0]).toMatchObject({ id: ran.run_id, status: "finished" });
  });
});
