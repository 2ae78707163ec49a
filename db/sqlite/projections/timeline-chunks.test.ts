import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CHUNK_STEPS, WHOLE_STEPS } from "../../../lib/session/timeline/levels.ts";
import { decodeTimeline, type TimelineBuckets, type TimelineColumns } from "../../../lib/session/timeline/timeline.ts";
import { newEvent, newMessage } from "../../contract/subject.ts";
import { NotMade } from "../../errors.ts";
import type { NewEvent } from "../../repositories.ts";
import { type Connection, openForReading, openForWriting } from "../connection.ts";
import { DATABASE_FILE } from "../open.ts";
import { createReader } from "../readers/reader.ts";
import { type SqliteSubject, sqliteSubject } from "../testing/subject.ts";

const COUNT = WHOLE_STEPS + 3 * CHUNK_STEPS + 100;
const STORED = Math.floor(COUNT / CHUNK_STEPS);

let subject: SqliteSubject;
let reading: Connection;
beforeEach(async () => {
  subject = await sqliteSubject();
  reading = openForReading(join(subject.dataDir, DATABASE_FILE));
});
afterEach(async () => {
  reading.close();
  await subject.dispose();
});

/** A run with calls, a few messages, and a failed call every 5,000. */
function longSession(length = COUNT): NewEvent[] {
  return Array.from({ length }, (_, index) => {
    const id = `e${index + 1}`;
    const run = { run_id: "r", occurred_at: new Date(1_700_000_000_000 + index * 1_000).toISOString() };
    if (index % 500 === 0) return newMessage(id, "hello", { ...run, actor: "user:anna" });
    if (index === 1) return newEvent({ ...run, id, type: "run.started", payload: {} });
    if (index === 2) return newEvent({ ...run, id, type: "run.iteration", payload: { iteration: 7 } });
    const call = { call_id: `c${Math.floor(index / 2)}`, tool: "orders.get" };
    if (index % 2 === 0) return newEvent({ ...run, id, type: "call.started", payload: call });
    const error = { code: "x", message: "y" };
    return index % 5_000 === 4_999
      ? newEvent({ ...run, id, type: "call.failed", payload: { ...call, error } })
      : newEvent({ ...run, id, type: "call.succeeded", payload: { ...call, output: index } });
  });
}

const chunks = () => reading.prepare("SELECT count(*) FROM timeline_chunks WHERE conversation_id = 'c'").pluck().get();

test("E8: chunks of a long session's timeline equal those of the whole", async () => {
  const { log, sessions, events } = subject.storage;
  await log.append(longSession());
  const parsed = async <T>(text: Promise<string | null>): Promise<T> => JSON.parse((await text) ?? "null");
  const whole = decodeTimeline(await parsed<TimelineColumns>(sessions.timeline("c", 0)));
  expect(whole).toHaveLength(COUNT);
  const asked = { at: 6_000, unit: "error", direction: 1 } as const;

  async function look() {
    const part = await parsed<TimelineColumns>(sessions.timeline("c", 11_100, 300));
    const buckets = await parsed<TimelineBuckets>(sessions.timelineBuckets("c", {}));
    return {
      rows: decodeTimeline(part),
      running: part.before?.lanes.runs.map(({ run, from }) => ({ run, from })),
      steps: buckets.kinds.flat().reduce((sum, count) => sum + count, 0),
      turns: new Set(buckets.lanes.agent),
      next: await sessions.nextStep("c", asked),
      round: await sessions.nextStep("c", { ...asked, at: 10_500 }),
      previous: await sessions.nextStep("c", { at: 10_500, unit: "message", direction: -1 }),
      none: await sessions.nextStep("c", { ...asked, unit: "alert" }),
      messages: (await events.list("c", { after: 12_000, limit: 3, type: "message.created" })).map(({ seq }) => seq),
      started: (await events.list("c", { after: 0, limit: 3, type: "run.started" })).map(({ seq }) => seq),
    };
  }

  const expected = {
    rows: whole.slice(11_100, 11_400),
    running: [{ run: "r", from: 2 }],
    ...{ steps: COUNT, turns: new Set(["x"]), next: 10_000, round: 5_000, previous: 10_001, none: 0 },
    ...{ messages: [12_001, 12_501, 13_001], started: [2] },
  };
  expect(await look()).toEqual(expected);
  await vi.waitFor(() => expect(chunks()).toBe(STORED), { timeout: 20_000 });
  expect(await look()).toEqual(expected);
});

test("E8: missing chunks are created in the background, and requests return the progress", async () => {
  const count = 24_000;
  const asked = { from: 20_000, limit: 300 };
  await subject.storage.log.append(longSession(count));
  await vi.waitFor(() => expect(chunks()).toBe(Math.floor(count / CHUNK_STEPS)), { timeout: 20_000 });
  // As after an update with another version of chunks.
  const writing = openForWriting(join(subject.dataDir, DATABASE_FILE), "normal");
  writing.prepare("UPDATE timeline_chunks SET version = 0").run();
  const view = reading.transaction(() => createReader(reading).view("c", count, true))();
  writing.prepare("UPDATE snapshots SET reducer_version = 0").run();
  writing.close();
  const reader = createReader(reading);
  expect(reader.view("c", count, true)).toBe("far");
  expect(reader.slowView("c", count, true)).toMatchObject({ json: view !== null && view !== "far" && view.json });
  expect(() => reader.timelinePart("c", asked.from, asked.limit)).toThrow(NotMade);
  expect(() => reader.nextStep("c", 6_000, "error", 1)).toThrow(NotMade);
  const first = JSON.parse(reader.timelineBuckets("c", {})?.json ?? "null");
  expect(first.last).toBe(count);
  expect(first.to).toBeLessThan(count);

  await subject.reopen();
  const { sessions } = subject.storage;
  const buckets = async () => JSON.parse((await sessions.timelineBuckets("c", {})) ?? "null");
  await vi.waitFor(async () => expect((await buckets()).to).toBe(count), { timeout: 20_000 });
  const rows = decodeTimeline(JSON.parse((await sessions.timeline("c", asked.from, asked.limit)) ?? "null"));
  expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: asked.limit }, (_, i) => asked.from + i + 1));
});

test("E8: chunks are deleted with their session", async () => {
  const { log, retention, conversations } = subject.storage;
  await log.append(longSession().map((event) => (event.type === "run.started" ? { ...event, type: "log" } : event)));
  await vi.waitFor(() => expect(chunks()).toBe(STORED), { timeout: 20_000 });
  const session = await conversations.get("c");
  const removed = await retention.remove([{ id: "c", updated_at: session?.updated_at ?? "" }]);
  expect(removed).toEqual({ conversations: 1, events: COUNT });
  expect(chunks()).toBe(0);
});

test("Security: chunks keep no erased name", async () => {
  const { log, erasures } = subject.storage;
  const user = newEvent({ id: "e0", type: "conversation.created", payload: { user_id: "canary" } });
  await log.append([user, ...longSession().map((event) => ({ ...event, run_id: event.run_id && "run of canary" }))]);
  await vi.waitFor(() => expect(chunks()).toBe(STORED), { timeout: 20_000 });
  const kept = () =>
    reading
      .prepare<[], { holds: string; buckets: string; standing: Buffer }>("SELECT * FROM timeline_chunks")
      .all()
      .map(({ holds, buckets, standing }) => holds + buckets + inflateSync(standing).toString())
      .join();
  expect(kept()).toContain("canary");
  const asked = { id: "erasure-user-0123456789ab", kind: "user", target: "canary", reason: null } as const;
  await erasures.add({ ...asked, receipt: "r", requested_by: "operator:anna" });
  for (let found = await erasures.find(asked.id); found === "found"; found = await erasures.find(asked.id)) {
    await erasures.close(asked.id);
    await erasures.erase(asked.id);
  }
  expect(kept()).not.toContain("canary");
});
