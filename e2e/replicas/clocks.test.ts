import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jsonRequest } from "../../lib/intake/otlp/testing/request.ts";
import { twoToolAgent } from "../../lib/intake/otlp/testing/spans.ts";
import { readEvents } from "../api/setup/event-source.ts";
import { cookieOf } from "../api/setup/people.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { addPeople } from "./people.ts";

const MINUTE_MS = 60_000;
/** How far the clocks of the replicas are from the test's. */
const SHIFTS_MS = [20 * MINUTE_MS, 0, -20 * MINUTE_MS];
/** A replica is missed after 10 s; beside other tests, all take longer. */
const PATIENCE_MS = 90_000;
const RATE = 300;

let folder: string;
let cluster: Cluster;
let program: Record<string, string>;
let busy: Record<string, string>;
/** Calls of the tool `hold` are answered when this is resolved. */
const held = Promise.withResolvers<void>();
let calls = 0;
const tools = createServer(async (_, response) => {
  calls += 1;
  await held.promise;
  response.setHeader("content-type", "application/json").end("{}");
});

beforeAll(async () => {
  await new Promise<void>((resolve) => tools.listen(0, "127.0.0.1", resolve));
  folder = await mkdtemp(join(tmpdir(), "obelus-clocks-"));
  for (const [replica, shift] of SHIFTS_MS.entries()) await writeFile(shiftOf(replica), String(shift));
  cluster = await startCluster(SHIFTS_MS.length, (replica) => ({
    ...{ OBELUS_AUTH: "1", OBELUS_HTTP_TOOL_HOSTS: host(), OBELUS_RATE_LIMIT: String(RATE) },
    OBELUS_OTLP_SETTLE_SECONDS: "2",
    OBELUS_TEST_SHIFT: shiftOf(replica),
    NODE_OPTIONS: `--import ${new URL("../api/setup/shifted-clock.ts", import.meta.url).href}`,
  }));
  [program = {}, busy = {}] = await addPeople(cluster, ["program", "busy"]);
}, 180_000);
afterAll(async () => {
  tools.closeAllConnections();
  tools.close();
  await cluster.stop();
  await rm(folder, { recursive: true });
}, 60_000);

const shiftOf = (replica: number) => join(folder, `shift-${replica}`);
const host = () => `127.0.0.1:${(tools.address() as AddressInfo).port}`;

function at(replica: number): string {
  const address = cluster.replicas[replica]?.address;
  if (!address) throw new Error(`The replica ${replica} does not run`);
  return address;
}

const send = (replica: number, path: string, value?: unknown, headers = program) =>
  fetch(`${at(replica)}${path}`, {
    method: value === undefined ? "GET" : "POST",
    headers: { ...headers, ...(value !== undefined && { "content-type": "application/json" }) },
    ...(value !== undefined && { body: JSON.stringify(value) }),
  });

describe("Replicas whose clocks differ by forty minutes", () => {
  test("number what is posted at them in one order", async () => {
    const post = async (n: number) => {
      const event = { id: `n-${n}`, conversation_id: "clocks", type: "log" };
      expect((await send(n % 3, "/api/events", event)).status).toBe(201);
    };
    await post(1);
    const reader = await readEvents(at(2), "/api/stream?conversation_id=clocks&after=0", program);
    for (let n = 2; n <= 12; n += 1) await post(n);
    const seen = await reader.take(12);
    reader.close();
    expect(seen.map(({ data }) => [data.id, data.seq])).toEqual(seen.map((_, n) => [`n-${n + 1}`, n + 1]));
  });

  test("let a sign-in at one of them hold at all", async () => {
    for (const replica of [0, 2]) {
      const { cookie = "" } = await cookieOf(at(replica), "admin");
      for (const other of [0, 1, 2])
        expect((await send(other, "/api/conversations", undefined, { cookie })).status).toBe(200);
    }
  });

  test("E15: map a trace once, whose spans came to all of them", async () => {
    const spans = twoToolAgent();
    const third = Math.ceil(spans.length / 3);
    await Promise.all(
      [0, 1, 2].map(async (replica) => {
        const some = spans.slice(replica * third, (replica + 1) * third);
        expect((await send(replica, "/v1/traces", jsonRequest(some))).status).toBe(200);
      }),
    );
    const told = () =>
      cluster.rows<{ id: string; payload: string }>("SELECT id, payload FROM events WHERE id LIKE 'otlp:%'");
    const ofSpans = async () => new Set((await told()).map(({ id }) => id.split(":").slice(0, 3).join(":"))).size;
    await expect.poll(ofSpans, { timeout: PATIENCE_MS }).toBe(spans.length);
    expect(await cluster.rows("SELECT 1 FROM spans")).toEqual([]);
    const ends = await cluster.rows("SELECT 1 FROM events WHERE id LIKE 'otlp:%' AND type = 'run.finished'");
    expect(ends).toHaveLength(1);
  });

  test("P23: carry the run of a killed one on", async () => {
    const activity = { type: "http", url: `http://${host()}/hold`, method: "GET", retries: 0 };
    const plan = {
      plan: [{ _tool: "hold", _id: "h" }],
      tools: [{ name: "hold", schema: { type: "object" }, activity }],
    };
    const started = await send(0, "/api/plans/run", plan, await cookieOf(at(0), "admin"));
    const { run_id, detail } = await started.json();
    expect([started.status, detail]).toEqual([202, undefined]);
    await expect.poll(() => calls).toBe(1);
    await cluster.replicas[0]?.end("SIGKILL");
    await expect.poll(() => calls, { timeout: PATIENCE_MS }).toBe(2);
    held.resolve();
    const ended = () => cluster.rows("SELECT 1 FROM events WHERE run_id = $1 AND type = 'run.finished'", [run_id]);
    await expect.poll(ended, { timeout: PATIENCE_MS }).toHaveLength(1);
    await cluster.replicas[0]?.start();
  });

  test("Security: count the requests of a client together", async () => {
    const ask = (replica: number) => send(replica, "/api/prices", undefined, busy);
    const left = async (replica: number) =>
      Number(/;r=(\d+);/.exec((await ask(replica)).headers.get("ratelimit") ?? "")?.[1]);
    const used = RATE / 2;
    for (let n = 0; n < used; n += 10) await Promise.all(Array.from({ length: 10 }, () => ask(0)));
    for (const replica of [1, 2]) await expect.poll(() => left(replica)).toBeLessThan(RATE - used);
    let status = 200;
    for (let n = 0; n <= used && status === 200; n += 1) status = (await ask(1)).status;
    expect(status).toBe(429);
    for (const replica of [0, 2]) await expect.poll(async () => (await ask(replica)).status).toBe(429);
  });
});
