import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type EventReader, readEvents, type StreamedEvent } from "../setup/event-source.ts";
import { type HeldModel, startHeldModel } from "../setup/held-model.ts";
import { temporaryDirectory, withServer } from "../setup/server.ts";

let model: HeldModel;
let agentsDir: string;
beforeAll(async () => {
  agentsDir = await temporaryDirectory();
  const agent = { instructions: "Work.", mode: "full", default: true, tools: [] };
  await writeFile(join(agentsDir, "worker.json"), JSON.stringify(agent));
  model = await startHeldModel();
});
afterAll(() => model.close());
const server = withServer({
  OBELUS_MODEL: "held",
  get OBELUS_MODEL_BASE_URL() {
    return model.baseUrl;
  },
  get OBELUS_AGENTS_DIR() {
    return agentsDir;
  },
});

let count = 0;
let id = "";
const open: EventReader[] = [];
beforeEach(async () => {
  id = await meet();
});
afterEach(() => {
  for (const reader of open.splice(0)) reader.close();
});

async function meet(): Promise<string> {
  const conversation = `c${count++}`;
  const { status } = await server.post("/api/conversations", { id: conversation, user_id: conversation });
  expect(status).toBe(201);
  return conversation;
}

async function follow(query = `drafts=true&conversation_id=${id}`) {
  const reader = await readEvents(server.url, `/api/stream?${query}`);
  open.push(reader);
  return reader;
}

/** Sends a message; returns the run that answers it. */
async function say(content: string, conversation = id): Promise<string> {
  const { status, body } = await server.post(`/api/conversations/${conversation}/messages`, { content });
  expect(status).toBe(202);
  return body.run_id;
}

const isDraft = ({ type }: StreamedEvent) => type === "message.draft";
/** The draft of a run as received, assembled as documented. */
function draftIn({ received }: EventReader, runId: string): string {
  let text = "";
  for (const { data } of received.filter(isDraft)) {
    if (data.run_id !== runId) continue;
    if (data.offset === 0) text = "";
    expect(data.offset).toBe(text.length);
    text += data.text;
  }
  return text;
}
const hasDraft = (reader: EventReader, runId: string, text: string) =>
  reader.find(() => draftIn(reader, runId) === text);
const ended = (reader: EventReader, type: string) => reader.find((event) => event.type === type);

describe("E13: answers are streamed as drafts if requested", () => {
  it("grow until the log has the message, which follows; the log contains no drafts", async () => {
    const answer = model.answer("rain", "It rains, 👋 and it will go on.");
    const reader = await follow();
    const run = await say("Will it rain?");
    answer.upTo("It rains");
    await hasDraft(reader, run, "It rains");
    answer.upTo("👋");
    await hasDraft(reader, run, "It rains, 👋");
    answer.finish();
    await ended(reader, "run.finished");
    const drafts = reader.received.filter(isDraft);
    expect(drafts[0]?.data).toMatchObject({ conversation_id: id, run_id: run, agent_id: "worker", offset: 0 });
    expect(drafts.every((draft) => Number.isNaN(draft.id))).toBe(true);
    const types = reader.received.map(({ type }) => type);
    expect(types.indexOf("message.draft")).toBeGreaterThan(types.indexOf("model.requested"));
    expect(types.lastIndexOf("message.draft")).toBeLessThan(types.indexOf("model.responded"));
    const { items } = (await server.get(`/api/conversations/${id}/events`)).body;
    expect(items.map((event: { type: string }) => event.type)).not.toContain("message.draft");
    const messages = items.filter((event: { type: string }) => event.type === "message.created");
    expect(messages.at(-1).payload.content).toBe(answer.text);
  });

  it("are only sent if requested, and the query is validated", async () => {
    const answer = model.answer("snow", "It snows.");
    const [watching, reader, refusing] = [
      await follow(),
      await follow(`conversation_id=${id}`),
      await follow(`drafts=false&conversation_id=${id}`),
    ];
    const run = await say("Will it snow?");
    answer.upTo("It");
    await hasDraft(watching, run, "It");
    answer.finish();
    for (const each of [reader, refusing]) {
      await ended(each, "run.finished");
      expect(each.received.some(isDraft)).toBe(false);
    }
    expect(await server.get("/api/stream?drafts=yes")).toMatchObject({
      status: 400,
      body: { errors: [{ path: "/drafts", message: "must be true or false" }] },
    });
  });

  it("start from their beginning for a client that connects later", async () => {
    const answer = model.answer("fog", "It is foggy today.");
    const early = await follow();
    const run = await say("Is there fog?");
    answer.upTo("It is");
    await hasDraft(early, run, "It is");
    const late = await follow();
    await hasDraft(late, run, "It is");
    answer.upTo("foggy");
    for (const each of [early, late]) await hasDraft(each, run, "It is foggy");
    expect(late.received.find(isDraft)?.data).toMatchObject({ offset: 0, text: "It is" });
    // A client that reads from the start gets the request before the answer.
    const whole = await follow(`drafts=true&conversation_id=${id}&after=0`);
    await hasDraft(whole, run, "It is foggy");
    const types = whole.received.map(({ type }) => type);
    expect(types.indexOf("message.draft")).toBeGreaterThan(types.indexOf("model.requested"));
    answer.finish();
    await ended(late, "run.finished");
  });

  it("are not mixed up between conversations", async () => {
    const other = await meet();
    const answers = [model.answer("apples", "Apples are green."), model.answer("pears", "Pears are yellow.")];
    const [mine, all] = [await follow(), await follow("drafts=true")];
    const runs = [await say("What of apples?"), await say("What of pears?", other)];
    const words = [
      ["Apples", "Pears"],
      ["Apples are", "Pears are"],
    ];
    for (const pair of words) {
      for (const [index, answer] of answers.entries()) answer.upTo(pair[index] ?? "");
      for (const [index, run] of runs.entries()) await hasDraft(all, run, pair[index] ?? "");
    }
    await hasDraft(mine, runs[0] ?? "", "Apples are");
    for (const answer of answers) answer.finish();
    await ended(mine, "run.finished");
    expect(mine.received.every(({ data }) => data.conversation_id === id)).toBe(true);
    for (const { data } of all.received.filter(isDraft))
      expect(data.conversation_id).toBe(data.run_id === runs[0] ? id : other);
  });
});

describe("P19a, D5: what is not for the user is in no draft", () => {
  it("a plan in JSON", async () => {
    const answer = model.answer("plan", JSON.stringify({ calls: [], output: "Nothing to do" }));
    const reader = await follow();
    await say("Make a plan");
    answer.upTo("Nothing");
    answer.finish();
    await ended(reader, "run.finished");
    expect(reader.received.some(isDraft)).toBe(false);
  });

  it("the marker of a switch", async () => {
    const answer = model.answer("demo", "With pleasure. [SWITCH_TO_DEMO_RESULT] now");
    const reader = await follow();
    const run = await say("Show me a demo");
    answer.upTo("pleasure");
    await hasDraft(reader, run, "With pleasure");
    answer.finish();
    await ended(reader, "run.finished");
    expect("With pleasure. ".startsWith(draftIn(reader, run))).toBe(true);
  });
});

describe("E13: a draft ends with its request", () => {
  it.each([
    ["cancelled", (run: string) => server.post(`/api/runs/${run}/cancel`, {}), "run.cancelled"],
    ["taken over", () => server.post(`/api/conversations/${id}/takeover`, {}), "run.cancelled"],
  ])("P24, D11: a run that is %s in the middle says no more, and nobody gets what it said", async (way, stop, end) => {
    const word = `tale-${way}`;
    const answer = model.answer(word, "Once upon a time.");
    const reader = await follow();
    const run = await say(word);
    answer.upTo("Once");
    await hasDraft(reader, run, "Once");
    expect((await stop(run)).status).toBeLessThan(300);
    await ended(reader, end);
    answer.finish();
    const late = await follow();
    await server.post("/api/events", [{ conversation_id: id, type: "log", payload: {} }]);
    await ended(late, "log");
    expect(late.received.some(isDraft)).toBe(false);
    await ended(reader, "log");
    expect(draftIn(reader, run)).toBe("Once");
  });

  it("P23: a restarted server has none, and the repeated run starts a new one", async () => {
    const first = model.answer("again", "The first answer.");
    const reader = await follow();
    const run = await say("Say it again");
    first.upTo("The first");
    await hasDraft(reader, run, "The first");
    const second = model.answer("again", "Another answer.");
    await server.restart("SIGKILL");
    const back = await follow();
    second.upTo("Another");
    await hasDraft(back, run, "Another");
    second.finish();
    await ended(back, "run.finished");
  });
});
