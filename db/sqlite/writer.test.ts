import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newEvent, newMessage } from "../contract/subject.ts";
import { Conflict, StorageFull } from "../errors.ts";
import { type Connection, openForReading, openForWriting } from "./connection.ts";
import { Damage } from "./damage.ts";
import { migrateDatabase } from "./migrate.ts";
import type { Transaction } from "./transaction.ts";
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

test("group: what has queued goes to disk together, and each request is answered after it is there", async () => {
  const missing: string[] = [];
  const isThere = reading.prepare("SELECT count(*) FROM events WHERE id = ?").pluck();
  const ids = Array.from({ length: 50 }, (_, index) => `e${index}`);
  await Promise.all(ids.map((id) => append(id).then(() => isThere.get(id) === 1 || missing.push(id))));
  expect(missing).toEqual([]);
  // On a slow machine a group may reach its time limit before it has taken all of them.
  expect(commits.length).toBeLessThan(25);
});

test("group: what a failed request wrote is undone, in memory and on disk", async () => {
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

test("full disk: the group is refused as a whole, reads go on, and writes again when there is room", async () => {
  await append("before");
  connection.pragma(`max_page_count = ${connection.pragma("page_count", { simple: true })}`);
  const refused = await Promise.allSettled([append("small"), append("large", "x".repeat(1_000_000))]);
  expect(refused).toMatchObject([{ reason: expect.any(StorageFull) }, { reason: expect.any(StorageFull) }]);
  expect(count()).toBe(1);
  connection.pragma("max_page_count = 1000000");
  expect(await append("small")).toMatchObject({ seq: 2, position: 2, duplicate: false });
});

test("full disk: long work that takes a transaction alone is refused and undone", async () => {
  connection.pragma(`max_page_count = ${connection.pragma("page_count", { simple: true })}`);
  const long = writer.submitAlone(async (transaction) => {
    transaction.append(newEvent({ id: "large", payload: "x".repeat(1_000_000) }), "program");
  });
  await expect(long).rejects.toBeInstanceOf(StorageFull);
  connection.pragma("max_page_count = 1000000");
  expect(await append("next")).toMatchObject({ seq: 1, position: 1 });
});

test("alone: readers see nothing of long work before its end, and other writes follow it", async () => {
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
