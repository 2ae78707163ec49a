import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkDatabase } from "../../../db/sqlite/check/check.ts";
import { jsonRequest } from "../../../lib/intake/otlp/testing/request.ts";
import { twoToolAgent } from "../../../lib/intake/otlp/testing/spans.ts";
import { readEvents } from "../setup/event-source.ts";
import { logEvent, temporaryDirectory, withServer } from "../setup/server.ts";

const HOUR_MS = 3_600_000;

let folder = "";
const shiftFile = () => join(folder, "shift");
const setClock = (ms: number) => writeFile(shiftFile(), String(ms));

beforeAll(async () => {
  folder = await temporaryDirectory();
  await setClock(0);
});
const server = withServer({
  OBELUS_OTLP_SETTLE_SECONDS: "5",
  get OBELUS_TEST_SHIFT() {
    return shiftFile();
  },
  NODE_OPTIONS: `--import ${new URL("../setup/shifted-clock.ts", import.meta.url).href}`,
});
afterAll(() => setClock(0));

/** The server's clock, from the time of a recorded event. */
async function recordedAt(n: number): Promise<number> {
  const { status } = await server.post("/api/events", logEvent("clock", n));
  expect(status).toBe(201);
  const { items } = (await server.get(`/api/conversations/clock/events?limit=1000`)).body;
  return Date.parse(items.at(-1).recorded_at);
}

async function jump(ms: number, n: { next: number }): Promise<void> {
  const before = await recordedAt(n.next++);
  await setClock(ms);
  const isThere = (at: number) => Math.abs(at - before) > HOUR_MS / 2;
  for (;;) if (isThere(await recordedAt(n.next++))) return;
}

test("Faults: a clock that jumps back an hour and forward again changes no order, and streams, turns and decisions work", async () => {
  const n = { next: 1 };
  await recordedAt(n.next++);
  const stream = await readEvents(server.url, "/api/stream?conversation_id=clock&after=0");
  await server.post("/api/conversations", { id: "talk", user_id: "anna", channel: "web" });
  const turn = async (content: string) => {
    const { status, body } = await server.post("/api/conversations/talk/messages", { content });
    expect(status).toBe(202);
    const ends = await readEvents(server.url, "/api/stream?conversation_id=talk&after=0");
    await ends.find(({ type, data }) => type === "run.finished" && data.run_id === body.run_id);
    ends.close();
  };
  await turn("before");
  // Its root is missing, so that it is waiting when the clock is set back.
  const told = await readEvents(server.url, "/api/stream?after=0");
  const spans = twoToolAgent().filter(({ parent_span_id }) => parent_span_id !== null);
  expect((await server.post("/v1/traces", jsonRequest(spans))).status).toBe(200);
  await jump(-HOUR_MS, n);
  await told.find(({ data }) => data.conversation_id !== "talk" && data.conversation_id !== "clock");
  told.close();
  await turn("while it is an hour ago");
  // A request from an hour ago is not overdue, and can be decided.
  const payload = { confirmation_id: "k", key: "k", action: { method: "m", params: {} } };
  await server.post("/api/events", { id: "asked", conversation_id: "clock", type: "confirmation.requested", payload });
  n.next += 1;
  expect((await server.post("/api/confirmations/k/decision", { decision: "approve" })).status).toBe(200);
  await jump(0, n);
  await turn("after");

  const { items } = (await server.get("/api/conversations/clock/events?limit=1000")).body;
  const seqs = items.map(({ seq }: { seq: number }) => seq);
  expect(seqs).toEqual(seqs.map((_: number, index: number) => index + 1));
  const positions = items.map(({ position }: { position: number }) => position);
  expect(positions).toEqual(positions.toSorted((a: number, b: number) => a - b));
  const times = items.map(({ recorded_at }: { recorded_at: string }) => Date.parse(recorded_at));
  // Otherwise the clock has not jumped.
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(HOUR_MS / 2);
  expect(times).not.toEqual(times.toSorted());
  const streamed = await stream.take(items.length);
  expect(streamed.map(({ data }) => data.seq)).toEqual(seqs);
  stream.close();
  const view = (await server.get("/api/conversations/talk/view")).body;
  expect(view.messages.map(({ role }: { role: string }) => role)).toEqual([
    "user",
    "assistant",
    "user",
    "assistant",
    "user",
    "assistant",
  ]);
  const ignored = { onProgress: () => undefined, onChecked: () => undefined };
  const checked = await checkDatabase({ folder: server.dataDir, allSnapshots: true, ...ignored });
  expect(checked.filter(({ ok }) => !ok)).toEqual([]);
});
