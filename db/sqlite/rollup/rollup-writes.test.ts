import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { conversation, counted } from "../../contract/rollup/counted.ts";
import { Erasing } from "../../erasure/erasing.ts";
import { readMigrations } from "../../migrations.ts";
import { openForWriting } from "../connection.ts";
import { MIGRATIONS } from "../migrate.ts";
import { DATABASE_FILE } from "../open.ts";
import { type SqliteSubject, sqliteSubject } from "../testing/subject.ts";
import { readRollupBatch } from "./read-batch.ts";
import { createRollupWrites } from "./rollup-writes.ts";

let subject: SqliteSubject;
beforeEach(async () => {
  subject = await sqliteSubject();
});
afterEach(() => subject.dispose());

test("a batch that was read before another one was stored is dropped: nothing is counted twice", async () => {
  await subject.storage.log.append([...conversation({ id: "a" }), ...conversation({ id: "b", fails: true })]);
  const once = await counted(subject.storage);
  expect(once.now).toMatchObject({ turns: 2, failed_turns: 1 });
  const connection = openForWriting(join(subject.dataDir, DATABASE_FILE), "normal");
  for (const table of ["cells", "parts", "progress", "series", "states"])
    connection.exec(`DELETE FROM rollup_${table}`);
  const batch = readRollupBatch(connection);
  if (batch === null) throw new Error("The log is not read again");
  const writes = createRollupWrites(connection);
  for (let time = 0; time < 2; time += 1) writes.save(batch, new Erasing(), 0);
  connection.close();
  expect((await counted(subject.storage)).now).toEqual(once.now);
});

test("a migration counts the hours of models, channels and stages in older data", async () => {
  await subject.storage.log.append([
    ...conversation({ id: "a", waits: 500 }),
    ...conversation({ id: "b", fails: true, hour: 30 }),
    ...conversation({ id: "c", channel: "email", hour: 30 }),
  ]);
  const { from, to } = await counted(subject.storage);
  const slices = () =>
    Promise.all(
      [{ channel: "web" }, { channel: "email" }, { model: "m" }, { stage: "" }].map((slice) =>
        counted(subject.storage, { from, to, ...slice }),
      ),
    );
  const before = await slices();
  const connection = openForWriting(join(subject.dataDir, DATABASE_FILE), "normal");
  const added = "cut IN ('model', 'channel', 'stage') AND kind <> 'turn'";
  connection.exec(`DELETE FROM rollup_cells WHERE id % 16777216 IN (SELECT id FROM rollup_series WHERE ${added})`);
  connection.exec(`DELETE FROM rollup_series WHERE ${added}`);
  expect(await slices()).not.toEqual(before);
  const migration = readMigrations(MIGRATIONS).find(({ tag }) => tag === "0029_hours_of_slices");
  for (const statement of migration?.sql ?? []) connection.exec(statement);
  connection.close();
  expect(await slices()).toEqual(before);
});
