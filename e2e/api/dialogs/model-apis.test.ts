import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ResponsesServer, startResponsesServer } from "../../../lib/model/testing/responses-server.ts";
import { MODEL_APIS } from "../../../lib/model/wire.ts";
import { withoutTimeLine } from "../../../lib/prompt/time-line.ts";
import { isJsonObject, type JsonObject } from "../../../lib/session/json/json.ts";
import { readEvents } from "../setup/event-source.ts";
import { temporaryDirectory, withServer } from "../setup/server.ts";

/** What is said to the model, without data. */
const saidIn = ({ input }: JsonObject) =>
  (Array.isArray(input) ? input.filter(isJsonObject) : [])
    .filter(({ role, content }) => role !== undefined && !String(content).startsWith("{"))
    .map(({ content }) => withoutTimeLine(String(content)));

describe.each(MODEL_APIS)("D7: a dialog with a model that speaks %s", (api) => {
  let model: ResponsesServer;
  let agentsDir: string;
  beforeAll(async () => {
    agentsDir = await temporaryDirectory();
    const agent = { instructions: "Work.", mode: "full", default: true };
    await writeFile(join(agentsDir, "worker.json"), JSON.stringify(agent));
    model = await startResponsesServer();
  });
  afterAll(() => model.close());
  const server = withServer({
    OBELUS_MODEL: "worker",
    OBELUS_MODEL_API: api,
    get OBELUS_MODEL_BASE_URL() {
      return model.baseUrl;
    },
    get OBELUS_AGENTS_DIR() {
      return agentsDir;
    },
  });

  async function say(content: string): Promise<string> {
    const { status, body } = await server.post("/api/conversations/c/messages", { content });
    expect(status).toBe(202);
    const events = await readEvents(server.url, "/api/stream?conversation_id=c&after=0&drafts=true");
    await events.find(({ type, data }) => type === "run.finished" && data.run_id === body.run_id);
    events.close();
    return body.run_id;
  }

  it("calls tools, streams its answer, counts tokens, and knows in the next turn what was said", async () => {
    await server.post("/api/conversations", { id: "c", user_id: "u" });
    const reader = await readEvents(server.url, "/api/stream?conversation_id=c&after=0&drafts=true");
    const goal = { call_id: "c1", name: "memory_goals_add", arguments: '{"goal":"Bake bread"}' };
    const answer = "Noted: *bread*.\n\nNext?";
    model.queue({ items: [{ text: "One moment." }, goal] }, { items: [{ text: answer }], delta: 3 });
    await say("I want to bake bread");
    const drafted = reader.received.filter(
      ({ type, data }) => type === "message.draft" && answer.startsWith(data.text),
    );
    expect(drafted.length).toBeGreaterThan(0);
    reader.close();
    expect((await server.get("/api/agent-state/memory:u/memory")).body.goals).toEqual(["Bake bread"]);
    const responded = (await server.get("/api/conversations/c/events?type=model.responded")).body.items;
    expect(
      responded.map(({ payload }: { payload: JsonObject }) => [payload.input_tokens, payload.finish_reason]),
    ).toEqual([
      [120, "tool_calls"],
      [120, "stop"],
    ]);

    model.queue({ items: [{ text: "Then knead." }] });
    await say("It has risen");
    const [first, second, third] = model.requests.map(({ asked }) => asked);
    expect(model.requests.every((request) => request.api === api)).toBe(true);
    expect(saidIn(first ?? {})).toEqual(["I want to bake bread"]);
    const output = Array.isArray(second?.input)
      ? second.input.filter(isJsonObject).find(({ type }) => type === "function_call_output")
      : undefined;
    expect(output).toMatchObject({ call_id: "c1" });
    // A server that keeps responses has the rest.
    if (api === "responses") expect(third).toMatchObject({ previous_response_id: "resp_2" });
    expect(saidIn(third ?? {})).toEqual(
      api === "responses" ? ["It has risen"] : ["I want to bake bread", "One moment.", answer, "It has risen"],
    );
    const messages = (await server.get("/api/conversations/c/messages")).body.items;
    expect(messages.map(({ content }: { content: string }) => content)).toEqual([
      ...["I want to bake bread", "One moment.", answer, "It has risen", "Then knead."],
    ]);
  });
});
