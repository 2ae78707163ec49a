import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SessionEvent } from "../../../lib/session/event.ts";
import { emptySession, fold } from "../../../lib/session/reducer/reducer.ts";
import { toView } from "../../../lib/session/view.ts";
import { newEvent, newEvents, newMessage } from "../../contract/subject.ts";
import { SNAPSHOT_EVERY } from "../../projections/snapshot.ts";
import type { NewEvent } from "../../repositories.ts";
import { type Connection, openForReading, openForWriting } from "../connection.ts";
import { Damage } from "../data-dir/damage.ts";
import { DATABASE_FILE } from "../open.ts";
import { ReaderPool } from "../readers/reader-pool.ts";
import { type SqliteSubject, sqliteSubject } from "../testing/subject.ts";

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

const snapshots = () =>
  reading
    .prepare<[], Buffer>("SELECT session FROM snapshots WHERE conversation_id = 'c' ORDER BY seq")
    .pluck()
    .all()
    .map((session) => inflateSync(session).toString());
const seqs = () => reading.prepare("SELECT seq FROM snapshots WHERE conversation_id = 'c' ORDER BY seq").pluck().all();

/** The steps of snapshots: of(1), of(2) … */
const of = (count: number) => count * SNAPSHOT_EVERY;

const LONG_TEXT = "long ".repeat(5_000);

/** A session with messages, runs and calls that are open at snapshots. */
function long(count: number): NewEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const run = { run_id: `r${Math.floor(index / 90)}`, conversation_id: "c" };
    const call = { call_id: `k${Math.floor(index / 6)}`, tool: "t" };
    switch (index % 6) {
      case 0:
        return newMessage(`e${index}`, index % 30 === 0 ? LONG_TEXT : `said ${index}`, run);
      case 1:
        return newEvent({
          id: `e${index}`,
          type: index % 90 === 1 ? "run.started" : "run.iteration",
          payload: {},
          ...run,
        });
      case 2:
        return newEvent({ id: `e${index}`, type: "call.started", payload: { ...call, params: { index } }, ...run });
      case 3:
        return newEvent({
          id: `e${index}`,
          type: "state.written",
          payload: { path: `†state.k${index}`, value: index },
          ...run,
        });
      case 4:
        return newEvent({
          id: `e${index}`,
          type: "memory.updated",
          payload: { delta: [{ op: "add", path: "", value: index }] },
          ...run,
        });
      default:
        return newEvent({ id: `e${index}`, type: "call.succeeded", payload: { ...call, output: index }, ...run });
    }
  });
}

const next = (after: number) => subject.storage.events.list("c", { after, limit: 10_000 });

async function readAll(): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  // Pages of large events have fewer than requested.
  for (let page = await next(0); page.length > 0; page = await next(events.length)) events.push(...page);
  return events;
}

test("E7: views from snapshots equal those from the first step, on each side of a snapshot", async () => {
  await subject.storage.log.append(long(of(3) + 100));
  await vi.waitFor(() => expect(seqs()).toEqual([of(1), of(2), of(3)]), { timeout: 20_000 });
  // A reopened storage has an empty cache.
  await subject.reopen();
  const events = await readAll();
  for (const at of [of(3) + 100, of(1) - 1, of(1), of(1) + 1, of(2), of(3) - 1, of(3), of(3) + 50]) {
    const view = JSON.parse((await subject.storage.sessions.view("c", at)) ?? "null");
    expect(view, `step ${at}`).toEqual(
      JSON.parse(JSON.stringify(toView(fold(emptySession("c"), events.slice(0, at)), events.length))),
    );
  }
});

test("E8: snapshots continue from the last one and contain no message texts", async () => {
  await subject.storage.log.append(long(of(1)));
  await vi.waitFor(() => expect(seqs()).toEqual([of(1)]), { timeout: 20_000 });
  const [first] = snapshots();
  await subject.storage.log.append(long(of(2)).slice(of(1)));
  await vi.waitFor(() => expect(seqs()).toEqual([of(1), of(2)]), { timeout: 20_000 });
  expect(snapshots()[0] === first).toBe(true);
  expect(snapshots().join().includes(LONG_TEXT.slice(0, 1_000))).toBe(false);
});

test("E8: missing snapshots of a session are created when it is viewed", async () => {
  await subject.storage.log.append(long(of(2)));
  await subject.storage.close();
  const writing = openForWriting(join(subject.dataDir, DATABASE_FILE), "normal");
  writing.exec("DELETE FROM snapshots");
  writing.close();
  await subject.reopen();
  await subject.storage.sessions.view("c", of(2));
  await vi.waitFor(() => expect(seqs()).toEqual([of(1), of(2)]), { timeout: 20_000 });
});

test("E8: a reader thread that dies fails its call, is logged, and is replaced", async () => {
  await subject.storage.log.append(newEvents("c", 3));
  const logger = {
    warn: (_: object, message: string) => subject.logged.push(message),
    error: (_: object, message: string) => subject.logged.push(message),
  };
  const missing = new ReaderPool(join(subject.dataDir, "missing.sqlite"), logger, new Damage(logger));
  await expect(missing.call("facets")).rejects.toThrow("crashed");
  await expect(missing.call("facets")).rejects.toThrow("crashed");
  expect(subject.logged).toHaveLength(2);
  await missing.close();
  await expect(missing.call("facets")).rejects.toThrow("closed");
});
