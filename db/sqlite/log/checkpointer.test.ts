import { statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextIteration } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { newEvent } from "../../contract/subject.ts";
import { type Connection, openForReading, openForWriting } from "../connection.ts";
import { Damage } from "../data-dir/damage.ts";
import { DATABASE_FILE } from "../open.ts";
import { type SqliteSubject, sqliteSubject } from "../testing/subject.ts";
import { Checkpointer, type Copied } from "./checkpointer.ts";
import { Writer } from "./writer.ts";

let subject: SqliteSubject;
let file = "";
let looking: Connection;
beforeEach(async () => {
  subject = await sqliteSubject();
  file = join(subject.dataDir, DATABASE_FILE);
  looking = openForWriting(file, "normal");
});
afterEach(async () => {
  looking.close();
  await subject.dispose();
});

const MB = 1024 * 1024;
let number = 0;
/** An event of 10 KB: three pages, and those of the indexes. */
const event = () => newEvent({ id: `e${number++}`, payload: "x".repeat(10_000) });
/** The number of pages in the write-ahead log that are not checkpointed. */
function left(): number {
  const { log = 0, checkpointed = 0 } = looking.prepare<[], Copied>("PRAGMA wal_checkpoint(NOOP)").get() ?? {};
  return log - checkpointed;
}
const write = (events: number) =>
  Promise.all(Array.from({ length: events }, () => subject.storage.log.append([event()])));

test("checkpoints do not block writes", async () => {
  await subject.storage.log.append(Array.from({ length: 1_000 }, event));
  expect(left()).toBeGreaterThan(2_000);
  await vi.waitFor(() => expect(left()).toBeLessThan(1_000), 10_000);
});

test("the write-ahead log is reset while others write without a pause, and read", async () => {
  const events = subject.storage.events;
  let isWritten = false;
  const read = async () => {
    while (!isWritten) {
      await events.since(0, { limit: 100 });
      await nextIteration();
    }
  };
  const reading = read();
  // 80 MB or more. A concurrent checkpoint alone never resets the log.
  const writeOn = async () => {
    for (let written = 0; written < 750; written += 5) await write(5);
  };
  await Promise.all(Array.from({ length: 10 }, writeOn));
  isWritten = true;
  await reading;
  expect(statSync(`${file}-wal`).size).toBeLessThan(56 * MB);
  expect(subject.logged).toEqual([]);
});

test("pages needed by a reader of an older snapshot are checkpointed after it ends", async () => {
  const older = openForReading(file);
  await write(1);
  older.exec("BEGIN");
  older.prepare("SELECT count(*) FROM events").get();
  await write(1_000);
  expect(left()).toBeGreaterThan(1_000);
  older.close();
  await write(1_000);
  await vi.waitFor(() => expect(left()).toBeLessThan(1_000), 10_000);
});

test("if the thread dies, the writer makes checkpoints between transactions, and it is logged", async () => {
  const writing = openForWriting(file, "normal");
  const logger = {
    warn: (_: object, message: string) => subject.logged.push(message),
    error: (_: object, message: string) => subject.logged.push(message),
  };
  const writer = new Writer(writing, new Damage(logger), () => checkpointer.look());
  const checkpointer = new Checkpointer(join(subject.dataDir, "missing", DATABASE_FILE), writing, writer, logger);
  const payload = "x".repeat(5_000_000);
  for (const nth of [1, 2]) {
    await writer.submit((transaction) => transaction.append(newEvent({ id: `large-${nth}`, payload }), "program"));
    await vi.waitFor(() => expect(left()).toBeLessThan(1_000), 10_000);
    await vi.waitFor(() => expect(subject.logged).toHaveLength(nth));
  }
  await checkpointer.close();
  await writer.close();
  writing.close();
});
