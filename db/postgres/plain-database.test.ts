import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "./database.ts";
import { type PostgresSubject, postgresSubject } from "./testing/subject.ts";

let subject: PostgresSubject;
beforeEach(async () => {
  subject = await postgresSubject();
});
afterEach(() => subject.dispose());

test("what Postgres ends because it and another wait for each other is done once the other has ended", async () => {
  const { suites } = subject.storage;
  const users: string[] = [];
  const case_ = { title: "t", tags: [], conversation_id: "c", calls: 1, content: "{}", tools: [], users };
  for (const id of ["1", "2"])
    expect(await suites.addCase("s", { id, ...case_ }, "anna", { suites: 9, cases: 9, epoch: 0 })).toBe("added");
  const database = openDatabase(subject.url, () => undefined);
  const other = await database.connect(0);
  // It is not the one that looks for a deadlock.
  await other.run("SET deadlock_timeout = '60s'");
  await other.run("BEGIN");
  await other.run("UPDATE suite_cases SET title = 'x' WHERE id = '2'");
  const removed = suites.remove("s");
  await expect.poll(() => database.rows("SELECT 1 FROM pg_locks WHERE NOT granted")).toHaveLength(1);
  await other.run("UPDATE suite_cases SET title = 'x' WHERE id = '1'");
  await other.run("COMMIT");
  expect(await removed).toBe(true);
  await other.close();
  await database.close();
});
