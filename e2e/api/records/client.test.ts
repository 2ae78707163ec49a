import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Dropped, ObelusClient } from "../../../lib/client/client.ts";
import { ROOT } from "../../../scripts/process.mjs";
import { type ServerProcess, startServerProcess } from "../../../scripts/server-process.ts";
import { temporaryDirectory } from "../setup/server.ts";
import { createWaiting } from "../setup/waiting.ts";

let dataDir = "";
let server: ServerProcess;

beforeAll(async () => {
  dataDir = await temporaryDirectory();
  server = await startServerProcess(dataDir, { env: { OBELUS_DEMO: "0" } });
});
afterAll(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Restarts the server on the same port. */
async function startAgain(): Promise<void> {
  const { port } = new URL(server.address);
  server = await startServerProcess(dataDir, { env: { OBELUS_DEMO: "0", PORT: port } });
}

/** The numbers in a conversation's events, in the log's order. */
async function numbersOf(conversationId: string): Promise<number[]> {
  const numbers: number[] = [];
  for (let after = 0; ; after += 1_000) {
    const response = await fetch(
      `${server.address}/api/conversations/${conversationId}/events?limit=1000&after=${after}`,
    );
    const { items } = await response.json();
    numbers.push(...items.map(({ payload }: { payload: { n: number } }) => payload.n));
    if (items.length < 1_000) return numbers;
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

test("E11: nothing is lost or duplicated across kill -9 and restart, and the order is kept, with two concurrent clients", async () => {
  const troubles = createWaiting();
  let failed = 0;
  const clients = ["first", "second"].map((name) => {
    const client = new ObelusClient({
      url: server.address,
      onTrouble() {
        failed += 1;
        troubles.look();
      },
    });
    let n = 0;
    const tell = (count: number) => {
      for (let index = 0; index < count; index++) {
        const payload = { n: n++, text: "x".repeat(200) };
        client.event({ conversation_id: `outage-${name}-${n % 2}`, type: "log", payload });
      }
    };
    return { name, client, tell };
  });
  for (const { tell } of clients) tell(6_000);
  // In the middle: some requests have responses, some do not.
  await Promise.all(clients.map(({ client }) => client.flush({ timeoutMs: 50 })));
  const killed = server.stop("SIGKILL");
  for (const { tell } of clients) tell(1_500);
  await killed;
  await troubles.waitFor(() => (failed >= 2 ? true : undefined));
  for (const { tell } of clients) tell(1_500);
  await startAgain();
  for (const { name, client } of clients) {
    expect(await client.flush()).toBe(true);
    expect(client.counts()).toMatchObject({ stored: 9_000, waiting: 0 });
    for (const rest of [0, 1]) {
      const numbers = await numbersOf(`outage-${name}-${rest}`);
      expect(numbers).toEqual(upTo(9_000).filter((n) => (n + 1) % 2 === rest));
    }
  }
});

test("E10: an invalid event in a batch is dropped with the server's error, as is an id of another conversation", async () => {
  const dropped: Dropped[] = [];
  const client = new ObelusClient({ url: server.address, onDropped: (each) => dropped.push(each) });
  const log = (id: string, n: number, conversation_id = "bad-ones") =>
    client.event({ id, conversation_id, type: "log", payload: { n } });
  log("taken", 0, "elsewhere");
  log("good-0", 0);
  // As sent by an untyped program.
  client.event<string>({ id: "bad", conversation_id: "bad-ones", type: "call.started", payload: { call_id: "1" } });
  log("good-1", 1);
  log("taken", 9);
  client.event({ id: "no-run", conversation_id: "bad-ones", type: "run.started", payload: {} });
  log("good-2", 2);
  expect(await client.flush()).toBe(true);
  expect(await numbersOf("bad-ones")).toEqual([0, 1, 2]);
  expect(dropped.map(({ id, reason, detail }) => [id, reason, detail])).toEqual([
    ["bad", "refused", expect.stringContaining("/payload/tool")],
    ["no-run", "refused", expect.stringContaining("/run_id is required")],
    ["taken", "refused", expect.stringContaining("exists in another conversation")],
  ]);
});

test("C3: the helpers record a session with its calls, edges and answer", async () => {
  const client = new ObelusClient({ url: server.address });
  const conversation = client.conversation("helped", { title: "Where is it?", user_id: "alice" });
  const asked = conversation.message("user", "Where is my order?", { user_id: "alice" });
  const run = conversation.run({ agent_id: "support", caused_by: asked });
  const model = run.model({ model: "small", provider: "test", input: "Where is my order?" });
  model.responded({ output: "find it", input_tokens: 12, output_tokens: 3 });
  run.call("orders.find", { customer: "alice" }, { output_path: "†state.order" }).succeeded({ id: 17 });
  run.call("track", { id: 17 }, { reads: ["†state.order"] }).failed(new Error("no such parcel"));
  run.says("It is on its way.");
  run.finished();
  expect(await client.close()).toMatchObject({ waiting: 0, stored: 13 });
  const response = await fetch(`${server.address}/api/conversations/helped/view`);
  const { messages, runs, calls, state } = await response.json();
  expect(messages.map(({ role }: { role: string }) => role)).toEqual(["user", "assistant"]);
  expect(runs).toMatchObject([{ id: run.id, status: "finished" }]);
  expect(calls).toMatchObject([
    { id: "call-1", tool: "orders.find", status: "succeeded" },
    { id: "call-2", tool: "track", status: "failed" },
  ]);
  expect(state[""]).toEqual({ order: { id: 17 } });
});

test("the example in the documentation runs, and its session has edges", async () => {
  const example = join(ROOT, "examples/support-agent.ts");
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [example, "Where is order 17?"], {
    env: { ...process.env, OBELUS_URL: server.address },
  });
  expect(stdout).toBe("Your order is in Berlin and arrives tomorrow.\n");
  const [, id] = /conversations\/(\S+)/.exec(stderr) ?? [];
  const response = await fetch(`${server.address}/api/conversations/${id}/view`);
  const { runs, calls, state } = await response.json();
  expect(runs).toMatchObject([{ agent_id: "support", status: "finished" }]);
  expect(calls.map(({ tool, status }: { tool: string; status: string }) => `${tool} ${status}`)).toEqual([
    "orders.find succeeded",
    "parcels.track succeeded",
  ]);
  expect(state[""]).toEqual({
    number: "17",
    order: { parcel: "P-4711" },
    place: { at: "Berlin", arrives: "tomorrow" },
  });
});
