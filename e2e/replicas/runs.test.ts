import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { V8_OPTIONS } from "../../scripts/memory-settings.mjs";
import { ROOT } from "../../scripts/process.mjs";
import { serverProgram } from "../../scripts/server-process.ts";
import { type Cluster, type Replica, SECRET, startCluster } from "./cluster.ts";

/** A replica is missed after 10 s; beside other tests, all take longer. `bench/replicas` measures it. */
const PATIENCE_MS = 90_000;

let cluster: Cluster;
/** What the tools' server was asked for, by path and idempotency key. */
const asked: { path: string; key: string }[] = [];
/** Calls of the tool `hold` are answered when this is resolved. */
let held = Promise.withResolvers<void>();
const tools = createServer(async (request, response) => {
  const { call } = JSON.parse(await text(request));
  const path = request.url?.slice(1) ?? "";
  asked.push({ path, key: String(request.headers["idempotency-key"]) });
  if (path === "hold") await held.promise;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ done: call._id ?? null }));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => tools.listen(0, "127.0.0.1", resolve));
  cluster = await startCluster(3, { OBELUS_HTTP_TOOL_HOSTS: host(), OBELUS_SHUTDOWN_DELAY_SECONDS: "1" });
}, 180_000);
afterAll(async () => {
  tools.closeAllConnections();
  tools.close();
  await cluster.stop();
}, 60_000);

const host = () => `127.0.0.1:${(tools.address() as AddressInfo).port}`;
const tool = (name: string, more: object = {}) => ({
  name,
  schema: { type: "object" },
  activity: { type: "http", url: `http://${host()}/${name}`, retries: 0, ...more },
});
const at = (index: number): Replica & { address: string } => {
  const replica = cluster.replicas[index];
  if (!replica?.address) throw new Error(`The replica ${index} does not run`);
  return { ...replica, address: replica.address };
};

// biome-ignore lint/suspicious/noExplicitAny: what was answered, looked at field by field.
async function call(replica: { address: string }, method: string, path: string, value?: object): Promise<any> {
  const response = await fetch(`${replica.address}${path}`, {
    method,
    ...(value && { headers: { "content-type": "application/json" }, body: JSON.stringify(value) }),
  });
  const body = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(body)}`);
  return body;
}

async function start(replica: { address: string }, plan: object[], more: object = {}): Promise<string> {
  const given = [
    tool("pay", { idempotent: false }),
    tool("hold", { idempotent: false }),
    tool("read", { method: "GET" }),
  ];
  const { run_id } = await call(replica, "POST", "/api/plans/run", { plan, tools: given, ...more });
  return run_id;
}

/** Starts a plan at a replica and waits until it holds a call. No other replica can have fetched the run's job: they are frozen. */
async function startHeld(index: number, plan: object[]): Promise<string> {
  const before = askedFor("hold");
  const others = cluster.replicas.filter((_, other) => other !== index);
  for (const other of others) other.signal("SIGSTOP");
  try {
    const run = await start(at(index), plan);
    await expect.poll(() => askedFor("hold")).toBe(before + 1);
    return run;
  } finally {
    for (const other of others) other.signal("SIGCONT");
  }
}

const typesOf = async (runId: string): Promise<string[]> =>
  (await cluster.rows<{ type: string }>("SELECT type FROM events WHERE run_id = $1 ORDER BY position", [runId])).map(
    ({ type }) => type,
  );

async function until(runId: string, ...types: string[]): Promise<string[]> {
  const reached = async () => (await typesOf(runId)).some((type) => types.includes(type));
  await expect.poll(reached, { timeout: PATIENCE_MS, interval: 100 }).toBe(true);
  return typesOf(runId);
}

const askedFor = (path: string) => asked.filter((one) => one.path === path).length;

describe("Runs of three replicas", () => {
  test("P23: when the owner is killed, another one finishes the run, and no call that is not idempotent runs twice", async () => {
    held = Promise.withResolvers();
    const before = askedFor("hold");
    const run = await startHeld(0, [
      { _tool: "pay", _id: "p", _outputPath: "†state.p" },
      { _tool: "hold", _id: "h", after: "†state.p", _outputPath: "†state.h" },
    ]);
    await at(0).end("SIGKILL");
    await until(run, "confirmation.requested");
    const [asks] = await cluster.rows<{ id: string }>("SELECT id FROM confirmations WHERE run_id = $1", [run]);
    await call(at(1), "POST", `/api/confirmations/${asks?.id}/decision`, {
      decision: "approve",
      result: { done: "h" },
    });
    await until(run, "run.finished");
    expect([askedFor("hold"), (await typesOf(run)).filter((type) => type === "call.started").length]).toEqual([
      before + 1,
      2,
    ]);
    held.resolve();
    await cluster.replicas[0]?.start();
  });

  test("a frozen owner that wakes appends nothing and starts no call", async () => {
    held = Promise.withResolvers();
    const [holds, pays] = [askedFor("hold"), askedFor("pay")];
    const run = await startHeld(1, [
      { _tool: "hold", _id: "h", _outputPath: "†state.h" },
      { _tool: "pay", _id: "p", after: "†state.h", _outputPath: "†state.p" },
    ]);
    at(1).signal("SIGSTOP");
    let frozen: string[];
    try {
      await until(run, "confirmation.requested");
      // The answer waits for the one that is frozen.
      held.resolve();
      frozen = await typesOf(run);
    } finally {
      at(1).signal("SIGCONT");
    }
    await expect.poll(() => at(1).log()).toContain(run);
    const [asks] = await cluster.rows<{ id: string }>("SELECT id FROM confirmations WHERE run_id = $1", [run]);
    expect(await typesOf(run)).toEqual(frozen);
    await call(at(1), "POST", `/api/confirmations/${asks?.id}/decision`, { decision: "deny" });
    const types = await until(run, "run.finished", "run.failed");
    expect(types.filter((type) => type === "call.succeeded")).toEqual([]);
    expect([askedFor("hold"), askedFor("pay")]).toEqual([holds + 1, pays]);
  });

  test("M11: a user's messages that are posted at three replicas are answered in order, each once", async () => {
    await call(at(0), "POST", "/api/conversations", { id: "talk", user_id: "anna", channel: "api", agent_id: "crm" });
    for (const [index, content] of ["one", "two", "three"].entries())
      await call(at(index), "POST", "/api/conversations/talk/messages", { content, message_id: `m-${content}` });
    // The same message at another replica is the same turn.
    await call(at(2), "POST", "/api/conversations/talk/messages", { content: "one", message_id: "m-one" });
    const ends = () =>
      cluster.rows<{ run_id: string }>(
        "SELECT run_id FROM events WHERE conversation_id = 'talk' AND type IN ('run.finished', 'run.failed') ORDER BY position",
      );
    await expect.poll(async () => (await ends()).length).toBe(3);
    const began = await cluster.rows<{ run_id: string }>(
      "SELECT run_id FROM events WHERE conversation_id = 'talk' AND type = 'run.started' ORDER BY position",
    );
    expect(await ends()).toEqual(began);
  });

  test("P22: an approval at another replica starts the call once", async () => {
    const before = askedFor("pay");
    const run = await start(at(0), [{ _tool: "pay", _id: "p" }], { mode: "confirm" });
    await until(run, "run.waiting");
    const [asks] = await cluster.rows<{ id: string }>("SELECT id FROM confirmations WHERE run_id = $1", [run]);
    const decide = (index: number) =>
      call(at(index), "POST", `/api/confirmations/${asks?.id}/decision`, { decision: "approve" });
    await Promise.all([decide(1), decide(2)]);
    await until(run, "run.finished");
    expect(askedFor("pay")).toBe(before + 1);
  });

  test("SIGTERM hands a run on within ten seconds, and lets a running call end", async () => {
    held = Promise.withResolvers();
    const run = await startHeld(2, [
      { _tool: "hold", _id: "h", _outputPath: "†state.h" },
      { _tool: "pay", _id: "p", after: "†state.h" },
    ]);
    const began = performance.now();
    const ended = cluster.replicas[2]?.end("SIGTERM");
    setTimeout(() => held.resolve(), 1_000);
    await ended;
    expect(performance.now() - began).toBeLessThan(10_000);
    const types = await until(run, "run.finished");
    expect(types).not.toContain("call.parked");
    await cluster.replicas[2]?.start();
  });

  test("after SIGTERM a replica still answers until the balancer has seen that it stops", async () => {
    const replica = at(2);
    const ended = cluster.replicas[2]?.end("SIGTERM");
    await expect.poll(async () => (await fetch(`${replica.address}/api/ready`)).status).toBe(404);
    await call(replica, "POST", "/api/events", {
      conversation_id: "late",
      type: "user.message",
      payload: { content: "hi" },
    });
    await ended;
    const { items } = await call(at(0), "GET", "/api/conversations/late/events");
    expect(items).toHaveLength(1);
    await cluster.replicas[2]?.start();
  });
  test("SIGTERM while a replica starts ends it without the delay: no balancer sends it requests yet", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "obelus-starting-"));
    const starting = spawn(process.execPath, [...V8_OPTIONS, serverProgram()], {
      cwd: ROOT,
      env: {
        ...{ ...process.env, HOST: "127.0.0.1", PORT: "0", OBELUS_DATA_DIR: dataDir, OBELUS_DEMO: "0" },
        OBELUS_DATABASE_URL: `postgres://postgres@127.0.0.1:${at(0).way.port}/postgres`,
        // Longer than this test may take.
        ...{ OBELUS_SECRET: SECRET, OBELUS_SHUTDOWN_DELAY_SECONDS: "99" },
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const ended = once(starting, "exit");
      await once(starting.stdout, "data");
      starting.kill("SIGTERM");
      expect(await ended).toEqual([0, null]);
    } finally {
      starting.kill("SIGKILL");
      await rm(dataDir, { recursive: true, force: true });
    }
  }, 60_000);
});
