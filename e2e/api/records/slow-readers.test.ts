import { readFileSync } from "node:fs";
import { type ClientRequest, request } from "node:http";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { startServerProcess } from "../../../scripts/server-process.ts";
import { collectedHeapMb, INSPECTED } from "../setup/collected-heap.ts";
import { withoutReplica } from "../setup/metrics.ts";
import { logEvent, temporaryDirectory } from "../setup/server.ts";

const READERS = 500;
/** Takes 10 s on two idle cores, a minute on a busy machine. */
const PATIENCE_MS = 180_000;
const BATCHES = 5;
/** 100 events each. Sockets buffer a part of it, and the server must not hold the rest. */
const PAYLOAD = "x".repeat(2_000);
/** The maximum additional memory per client: its socket, and the page to be sent. */
const MB_A_READER = 0.5;

const dataDir = await temporaryDirectory();
const log = join(dataDir, "server.log");
const server = await startServerProcess(dataDir, { log, env: { OBELUS_DEMO: "0", ...INSPECTED } });
afterAll(() => server.stop());

it(
  `E13: ${READERS} readers that never read hold little memory, nobody who writes waits for them, and all are let go`,
  async () => {
    await ingest("warm");
    const alone = await ingest("alone");
    const before = await resident();

    const readers = await Promise.all(Array.from({ length: READERS }, openReader));
    expect(await metric("obelus_streams_open")).toBe(READERS);
    const beside = await ingest("beside");
    const held = (await resident()) - before;
    console.log(
      `${READERS} readers that never read: ${held.toFixed(0)} MB more; writing took ${(beside / alone).toFixed(2)} × the time`,
    );
    expect(held).toBeLessThan(READERS * MB_A_READER);
    // All of it is stored, although nobody has read it.
    expect((await get("/api/conversations/beside")).event_count).toBe(BATCHES * 100);

    for (const reader of readers) reader.destroy();
    await vi.waitFor(async () => expect(await metric("obelus_streams_open")).toBe(0), PATIENCE_MS);
  },
  PATIENCE_MS,
);

/** Opens a live stream and reads only its headers. */
function openReader(): Promise<ClientRequest> {
  const { promise, resolve, reject } = Promise.withResolvers<ClientRequest>();
  const asked = request(`${server.address}/api/stream`, { agent: false }, (response) => {
    response.pause();
    if (response.statusCode === 200) resolve(asked);
    else reject(new Error(`The stream was answered with ${response.statusCode}`));
  });
  asked.on("error", reject);
  asked.end();
  return promise;
}

/** Posts events in batches; returns the time it took, ms. */
async function ingest(conversation: string): Promise<number> {
  const began = performance.now();
  for (let batch = 0; batch < BATCHES; batch++) {
    const events = Array.from({ length: 100 }, (_, n) => ({
      ...logEvent(conversation, batch * 100 + n),
      payload: PAYLOAD,
    }));
    const { status } = await fetch(`${server.address}/api/events`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(events),
    });
    expect(status).toBe(201);
  }
  return performance.now() - began;
}

async function get(path: string) {
  return (await fetch(server.address + path)).json();
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${server.address}/api/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(withoutReplica(text))?.[1]);
}

/** The server's memory after a collection, MB. */
async function resident(): Promise<number> {
  await collectedHeapMb(readFileSync(log, "utf8"));
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1]) / 1024;
}
