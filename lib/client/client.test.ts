import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setImmediate as nextIteration } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Dropped, ObelusClient, type Trouble } from "./client.ts";
import { fakeServer, refusal, type Says } from "./testing/fake-server.ts";

/** A client whose reports are kept. */
function clientOf(url: string, options: Partial<ConstructorParameters<typeof ObelusClient>[0]> = {}) {
  const dropped: Dropped[] = [];
  const troubles: Trouble[] = [];
  const client = new ObelusClient({
    url,
    ...options,
    onDropped: (each) => dropped.push(each),
    onTrouble: (each) => troubles.push(each),
  });
  const log = (n: number) => client.event({ id: `e${n}`, conversation_id: "c", type: "log", payload: { n } });
  return { client, dropped, troubles, log };
}

/** With fake timers. */
async function until(fits: () => boolean): Promise<void> {
  while (!fits()) await nextIteration();
}

const ids = (events: readonly { id: string }[]) => events.map(({ id }) => id);

test("events get an id and a time at once, and are sent in order in one request", async () => {
  await using server = await fakeServer(() => "stored");
  const { client } = clientOf(server.url);
  const before = new Date().toISOString();
  const first = client.event({ conversation_id: "c", type: "log", payload: "first" });
  const payload = { text: "as it was" };
  const second = client.event({ conversation_id: "c", type: "log", payload });
  payload.text = "changed later";
  expect(await client.flush()).toBe(true);
  expect(server.requests).toMatchObject([
    [
      { id: first, payload: "first" },
      { id: second, payload: { text: "as it was" } },
    ],
  ]);
  expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(String(server.stored[0]?.occurred_at) >= before).toBe(true);
  expect(client.counts()).toMatchObject({ stored: 2, waiting: 0 });
});

test("an invalid event in a batch is dropped with the server's error, and the others are stored", async () => {
  await using server = await fakeServer((_, events) => {
    const bad = events.findIndex(({ id }) => id === "e1");
    return bad < 0 ? "stored" : refusal(400, [{ path: `/${bad}/payload/tool`, message: "is required" }]);
  });
  const { client, dropped, log } = clientOf(server.url);
  for (const n of [0, 1, 2]) log(n);
  expect(await client.flush()).toBe(true);
  expect(ids(server.stored)).toEqual(["e0", "e2"]);
  expect(dropped).toMatchObject([{ id: "e1", type: "log", reason: "refused", detail: "/payload/tool is required" }]);
});

test("an invalid event that the server does not name is found, and the others are stored in order", async () => {
  await using server = await fakeServer((_, events) =>
    events.some(({ id }) => id === "e37") ? refusal(400) : "stored",
  );
  const { client, dropped, log } = clientOf(server.url);
  const all = Array.from({ length: 100 }, (_, n) => n);
  for (const n of all) log(n);
  await client.flush();
  expect(ids(server.stored)).toEqual(all.filter((n) => n !== 37).map((n) => `e${n}`));
  expect(ids(dropped)).toEqual(["e37"]);
});

test("events that cannot be serialized, or are too large, are dropped without an exception", async () => {
  await using server = await fakeServer(() => "stored");
  const { client, dropped, log } = clientOf(server.url);
  const circle: { [key: string]: never } = {};
  Object.assign(circle, { circle });
  client.event({ id: "circle", conversation_id: "c", type: "log", payload: circle });
  client.event({ id: "huge", conversation_id: "c", type: "log", payload: "x".repeat(5 * 1024 * 1024) });
  log(1);
  expect(await client.flush()).toBe(true);
  expect(dropped.map(({ id, reason }) => [id, reason])).toEqual([
    ["circle", "not_json"],
    ["huge", "too_large"],
  ]);
  expect(ids(server.stored)).toEqual(["e1"]);
});

test("a full buffer keeps the oldest and reports what it drops; exceptions of callbacks are ignored", async () => {
  await using server = await fakeServer(() => "hang");
  const dropped: string[] = [];
  const client = new ObelusClient({
    url: server.url,
    maxBufferedEvents: 3,
    onDropped({ id, reason }) {
      dropped.push(`${id} ${reason}`);
      throw new Error("the agent's own");
    },
  });
  for (const id of ["a", "b", "c", "d", "e"]) client.event({ id, conversation_id: "c", type: "log", payload: {} });
  expect(dropped).toEqual(["d buffer_full", "e buffer_full"]);
  expect(client.counts()).toMatchObject({ waiting: 3, dropped: { buffer_full: 2 } });
  const { waiting, dropped: counted } = await client.close({ timeoutMs: 1 });
  expect({ waiting, closed: counted.closed }).toEqual({ waiting: 0, closed: 3 });
  client.event({ id: "late", conversation_id: "c", type: "log", payload: {} });
  expect(dropped.slice(2)).toEqual(["a closed", "b closed", "c closed", "late closed"]);
});

test("the buffer is bounded in bytes, too", () => {
  const { client, dropped } = clientOf("http://127.0.0.1:1", { maxBufferedBytes: 1_000 });
  client.event({ id: "small", conversation_id: "c", type: "log", payload: {} });
  client.event({ id: "large", conversation_id: "c", type: "log", payload: "x".repeat(1_000) });
  expect(dropped).toMatchObject([{ id: "large", reason: "buffer_full" }]);
});

test("a request has at most 1,000 events", async () => {
  await using server = await fakeServer(() => "stored");
  const { client, log } = clientOf(server.url);
  for (let n = 0; n < 2_500; n++) log(n);
  await client.flush();
  expect(server.requests.map(({ length }) => length)).toEqual([1_000, 1_000, 500]);
});

test("larger requests are compressed, unless the server does not take that", async () => {
  await using server = await fakeServer((request) => (request === 3 ? refusal(415) : "stored"));
  const { client, log } = clientOf(server.url);
  for (const size of [1, 5_000, 5_000, 5_000]) {
    client.event({ conversation_id: "c", type: "log", payload: "я".repeat(size) });
    expect(await client.flush()).toBe(true);
  }
  expect(server.encodings).toEqual(["", "gzip", "gzip", "", ""]);
  expect(server.stored.map(({ payload }) => String(payload).length)).toEqual([1, 5_000, 5_000, 5_000]);
  log(1);
  await client.close();
});

test("a strict client says in flush and close what was not recorded, once", async () => {
  await using server = await fakeServer((_, events) =>
    events.some(({ id }) => id === "e2") ? refusal(400, [{ path: "/1/payload", message: "is bad" }]) : "stored",
  );
  const { client, log, dropped } = clientOf(server.url, { strict: true });
  for (const n of [1, 2]) log(n);
  await expect(client.flush()).rejects.toMatchObject({
    name: "ObelusError",
    message: "log was not recorded (refused): /payload is bad",
  });
  expect([await client.flush(), ids(dropped), ids(server.stored)]).toEqual([true, ["e2"], ["e1"]]);
  const unreachable = clientOf("http://127.0.0.1:1", { strict: true });
  unreachable.log(1);
  await expect(unreachable.client.flush({ timeoutMs: 1 })).rejects.toThrow("within the timeout");
  await expect(unreachable.client.close({ timeoutMs: 1 })).rejects.toThrow("(closed)");
});

describe("retries", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    // The minimum wait: half of the maximum.
    vi.spyOn(Math, "random").mockReturnValue(0);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  /** Sends one event to a server with this first response; returns how long the client waits then. */
  async function waitAfter(says: Says, options: { requestTimeoutMs?: number } = {}): Promise<number> {
    await using server = await fakeServer((request) => (request === 1 ? says : "stored"));
    const { client, log, troubles, dropped } = clientOf(server.url, options);
    log(1);
    const done = client.flush();
    await server.asked(1);
    if (says === "hang") vi.advanceTimersByTime(options.requestTimeoutMs ?? 0);
    await until(() => troubles.length === 1);
    const wait = troubles[0]?.retry_in_ms ?? 0;
    vi.advanceTimersByTime(wait - 1);
    await nextIteration();
    expect(server.requests).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(await done).toBe(true);
    expect({ stored: ids(server.stored), dropped }).toEqual({ stored: ["e1"], dropped: [] });
    return wait;
  }

  test.each<[string, Says, number]>([
    ["a connection that breaks off", "cut", 125],
    ["500", { status: 500 }, 125],
    ["503 with Retry-After", { status: 503, headers: { "retry-after": "7" } }, 7_000],
    ["429 with Retry-After", { status: 429, headers: { "retry-after": "1" } }, 1_000],
    ["401: the events are not at fault", { status: 401 }, 125],
    ["400 of something that is not Obelus", { status: 400, body: "<html>" }, 125],
    ["200 of something that is not Obelus", { status: 200, body: "<html>log in</html>" }, 125],
    ["a redirection", { status: 307, headers: { location: "http://127.0.0.1:1/" } }, 125],
  ])("after %s", async (_, says, wait) => {
    expect(await waitAfter(says)).toBe(wait);
  });

  test("after a timeout of the server", async () => {
    expect(await waitAfter("hang", { requestTimeoutMs: 1_000 })).toBe(125);
  });

  test("waits double, up to half a minute, and start again after a success", async () => {
    await using server = await fakeServer((request) => (request === 10 ? "stored" : { status: 503 }));
    const { client, log, troubles } = clientOf(server.url);
    log(1);
    void client.flush();
    for (let failure = 1; failure <= 9; failure++) {
      await until(() => troubles.length === failure);
      vi.advanceTimersByTime(troubles[failure - 1]?.retry_in_ms ?? 0);
    }
    await until(() => client.counts().stored === 1);
    log(2);
    void client.flush();
    await until(() => troubles.length === 10);
    expect(troubles.map(({ retry_in_ms }) => retry_in_ms)).toEqual([
      ...[125, 250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 125],
    ]);
    const closed = client.close({ timeoutMs: 1 });
    vi.advanceTimersByTime(1);
    expect((await closed).dropped.closed).toBe(1);
  });

  test("events are batched for 200 ms unless flushed", async () => {
    await using server = await fakeServer(() => "stored");
    const { client, log } = clientOf(server.url);
    log(1);
    vi.advanceTimersByTime(199);
    log(2);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1);
    await until(() => client.counts().stored === 2);
    expect(server.requests.map(ids)).toEqual([["e1", "e2"]]);
  });

  test("flush returns after its timeout, and the events stay buffered", async () => {
    await using server = await fakeServer(() => "hang");
    const { client, log } = clientOf(server.url);
    log(1);
    const flushed = client.flush({ timeoutMs: 50 });
    vi.advanceTimersByTime(50);
    expect(await flushed).toBe(false);
    expect(client.counts().waiting).toBe(1);
  });
});

describe("as a copy in another program", () => {
  const folder = fileURLToPath(new URL(".", import.meta.url));

  async function run(url: string, program: string): Promise<{ code: number | null; out: string; errors: string }> {
    const place = await mkdtemp(join(tmpdir(), "obelus-client-"));
    try {
      await cp(folder, join(place, "client"), {
        recursive: true,
        filter: (path) => !/\.test\.ts$|testing$/.test(path),
      });
      await writeFile(
        join(place, "agent.ts"),
        `import { ObelusClient } from "./client/client.ts";\nconst client = new ObelusClient({ url: "${url}" });\n${program}`,
      );
      const child = spawn(process.execPath, [join(place, "agent.ts")], { stdio: ["ignore", "pipe", "pipe"] });
      const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
      return { code: child.exitCode, out, errors };
    } finally {
      await rm(place, { recursive: true, force: true });
    }
  }

  test("it works, and its timers do not keep the process alive", async () => {
    // Nothing listens there: it would retry forever.
    const { code, errors } = await run(
      "http://127.0.0.1:1",
      `client.event({ conversation_id: "c", type: "log", payload: {} });`,
    );
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
  });

  test("flush during a wait for a retry is awaited, too", async () => {
    await using server = await fakeServer((request) => (request === 1 ? { status: 503 } : "stored"));
    // A full batch is sent at once, and the response arrives before flush.
    const program = `const other = new ObelusClient({
  url: "${server.url}",
  onTrouble: () => setImmediate(async () => console.log(await other.flush(), other.counts().stored)),
});
for (let n = 0; n < 1_000; n++) other.event({ conversation_id: "c", type: "log", payload: { n } });`;
    const { code, out } = await run(server.url, program);
    expect({ code, out }).toEqual({ code: 0, out: "true 1000\n" });
  });

  test("awaiting flush keeps the process alive, also during a wait for a retry", async () => {
    await using server = await fakeServer((request) => (request === 1 ? { status: 503 } : "stored"));
    const program = `client.event({ conversation_id: "c", type: "log", payload: {} });
console.log(await client.flush(), client.counts().stored);`;
    const { code, out } = await run(server.url, program);
    expect({ code, out }).toEqual({ code: 0, out: "true 1\n" });
  });
});
