import { afterEach, beforeEach, expect, test } from "vitest";
import { conversation, counted } from "../../contract/rollup/counted.ts";
import { openDatabase } from "../database.ts";
import { type PostgresSubject, postgresSubject } from "../testing/subject.ts";
import { readRollupBatch } from "./read-batch.ts";
import { saveRollupBatch } from "./rollup-writes.ts";

let subject: PostgresSubject;
beforeEach(async () => {
  subject = await postgresSubject();
});
afterEach(() => subject.dispose());

test("a batch that another replica has stored meanwhile is dropped: nothing is counted twice", async () => {
  await subject.storage.log.append([...conversation({ id: "a" }), ...conversation({ id: "b", fails: true })]);
  const once = await counted(subject.storage);
  expect(once.now).toMatchObject({ turns: 2, failed_turns: 1 });
  const database = openDatabase(subject.url, () => undefined);
  await database.run("TRUNCATE rollup_cells, rollup_parts, rollup_progress, rollup_series, rollup_states");
  const batch = await readRollupBatch(database);
  if (batch === null) throw new Error("The log is not read again");
  for (let time = 0; time < 2; time += 1)
    await database.transaction(false, (queries) => saveRollupBatch(queries, batch, 0));
  await database.close();
  expect((await counted(subject.storage)).now).toEqual(once.now);
});
