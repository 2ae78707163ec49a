import { statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { newEvent, newMessage } from "../../contract/subject.ts";
import { Conflict, StorageDamaged, StorageFull } from "../../errors.ts";
import type { Transaction } from "../../log/transaction.ts";
import { type Connection, openForReading, openForWriting } from "../connection.ts";
import { Damage } from "../data-dir/damage.ts";
import { migrateDatabase } from "../migrate.ts";
import { syncInBackground } from "./wal-sync.ts";
import { Writer } from "./writer.ts";

let dataDir = "";
let connection: Connection;
let reading: Connection;
let commits: Transaction[] = [];
let writer: Writer;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "obelus-"));
  const file = join(dataDir, "test.sqlite");
  connection = openForWriting(file, "full");
  migrateDatabase(connection);
  reading = openForReading(file);
  commits = [];
  writer = new Writer(connection, new Damage(console), (transaction) => commits.push(transaction));
});
afterEach(async () => {
  reading.close();
  connection.close();
  await rm(dataDir, { recursive: true });
});

const append = (id: string, payload: string | null = null) =>
  writer.submit((transaction) => transaction.append(newEvent({ id, payload }), "program"));
const count = () => reading.prepare("SELECT count(*) FROM events").pluck().get();

test("group: queued requests are committed together, and acknowledged when durable", async () => {
  const missing: string[] = [];
  const isThere = reading.prepare("SELECT count(*) FROM events WHERE id = ?").pluck();
  const ids = Array.from({ length: 50 }, (_, index) => `e${index}`);
  await Promise.all(ids.map((id) => append(id).then(() => isThere.get(id) === 1 || missing.push(id))));
  expect(missing).toEqual([]);
  // On a slow machine a group may reach its time limit before it has all requests.
  expect(commits.length).toBeLessThan(25);
});

test("group: a failed request is rolled back, in memory and on disk", async () => {
  const outcomes = await Promise.allSettled([
    append("a"),
    writer.submit((transaction) => {
      transaction.append(newMessage("m", "lost"), "program");
      throw new Conflict("no");
    }),
    append("b"),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(reading.prepare("SELECT id, seq, position FROM events ORDER BY position").all()).toEqual([
    { id: "a", seq: 1, position: 1 },
    { id: "b", seq: 2, position: 2 },
  ]);
  expect(reading.prepare("SELECT count(*) FROM messages").pluck().get()).toBe(0);
  expect(commits.flatMap(({ recorded }) => recorded.map(({ event }) => event.id))).toEqual(["a", "b"]);
});

test("full disk: the group is refused, reads continue, and writes work again when there is space", async () => {
  await append("before");
  connection.pragma(`max_page_count = ${connection.pragma("page_count", { simple: true })}`);
  const refused = await Promise.allSettled([append("small"), append("large", "x".repeat(1_000_000))]);
  expect(refused).toMatchObject([{ reason: expect.any(StorageFull) }, { reason: expect.any(StorageFull) }]);
  expect(count()).toBe(1);
  connection.pragma("max_page_count = 1000000");
  expect(await append("small")).toMatchObject({ seq: 2, position: 2, duplicate: false });
});

test("full disk: a long transaction is refused and rolled back", async () => {
  connection.pragma(`max_page_count = ${connection.pragma("page_count", { simple: true })}`);
  const long = writer.submitAlone(async (transaction) => {
    transaction.append(newEvent({ id: "large", payload: "x".repeat(1_000_000) }), "program");
  });
  await expect(long).rejects.toBeInstanceOf(StorageFull);
  connection.pragma("max_page_count = 1000000");
  expect(await append("next")).toMatchObject({ seq: 1, position: 1 });
});

test("alone: readers do not see a long transaction before its end, and other writes follow it", async () => {
  const inside = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const long = writer.submitAlone(async (transaction) => {
    transaction.append(newEvent({ id: "long" }), "program");
    inside.resolve();
    await goOn.promise;
  });
  await inside.promise;
  const other = append("other");
  expect(count()).toBe(0);
  goOn.resolve();
  await long;
  expect(await other).toMatchObject({ seq: 2 });
});

/** A disk whose syncs are completed by the test. */
function slowDisk() {
  const syncs: PromiseWithResolvers<void>[] = [];
  return {
    syncs,
    close: () => undefined,
    sync() {
      const sync = Promise.withResolvers<void>();
      syncs.push(sync);
      return sync.promise;
    },
  };
}

test("sync: acknowledgement waits for the disk, the event loop does not, and later requests share the next sync", async () => {
  const disk = slowDisk();
  writer = new Writer(connection, new Damage(console), (transaction) => commits.push(transaction), { sync: disk });
  const answered: string[] = [];
  const note = (id: string) => append(id).then(() => answered.push(id));
  const first = note("a");
  await vi.waitFor(() => expect(disk.syncs).toHaveLength(1));
  const others = [note("b"), note("c")];
  await turn();
  expect(answered).toEqual([]);
  expect(commits).toEqual([]);
  expect(count()).toBe(1);
  disk.syncs[0]?.resolve();
  await first;
  await vi.waitFor(() => expect(disk.syncs).toHaveLength(2));
  expect(answered).toEqual(["a"]);
  disk.syncs[1]?.resolve();
  await Promise.all(others);
  expect(commits.map(({ recorded }) => recorded.map(({ event }) => event.id))).toEqual([["a"], ["b", "c"]]);
});

test("sync: a part of later work does not wait for the disk, other work does", async () => {
  const disk = slowDisk();
  writer = new Writer(connection, new Damage(console), () => undefined, { sync: disk });
  await writer.submitPart((transaction) => transaction.append(newEvent({ id: "part" }), "program"));
  expect(disk.syncs).toHaveLength(0);
  const alone = writer.submitAlone(async (transaction) => transaction.append(newEvent({ id: "alone" }), "program"));
  await vi.waitFor(() => expect(disk.syncs).toHaveLength(1));
  disk.syncs[0]?.resolve();
  expect(await alone).toMatchObject({ position: 2 });
});

test("sync: after a failed sync nothing is acknowledged or written", async () => {
  const disk = slowDisk();
  const damage = new Damage({ error: () => undefined });
  writer = new Writer(connection, damage, (transaction) => commits.push(transaction), { sync: disk });
  const first = append("a");
  await vi.waitFor(() => expect(disk.syncs).toHaveLength(1));
  const waiting = append("b");
  disk.syncs[0]?.reject(new Error("EIO"));
  await expect(first).rejects.toBeInstanceOf(StorageDamaged);
  await expect(waiting).rejects.toBeInstanceOf(StorageDamaged);
  await expect(append("c")).rejects.toBeInstanceOf(StorageDamaged);
  expect(damage.found).toBeInstanceOf(StorageDamaged);
  expect(commits).toEqual([]);
  expect(count()).toBe(1);
  await writer.close();
});

test("sync: the write-ahead log is synced, and stays the same file across checkpoints that truncate it", async () => {
  const sync = syncInBackground(connection);
  expect(connection.pragma("synchronous", { simple: true })).toBe(1);
  writer = new Writer(connection, new Damage(console), () => undefined, { sync });
  await append("a");
  const log = `${connection.name}-wal`;
  const before = statSync(log).ino;
  connection.pragma("wal_checkpoint(TRUNCATE)");
  await append("b");
  expect(statSync(log)).toMatchObject({ ino: before });
  expect(count()).toBe(2);
  sync.close();
});
