import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { conversation, counted } from "../../contract/rollup.ts";
import { Erasing } from "../../erasure/erasing.ts";
import { openForWriting } from "../connection.ts";
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
