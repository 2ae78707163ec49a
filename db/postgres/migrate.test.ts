import { afterEach, beforeEach, expect, test } from "vitest";
import { readMigrations } from "../migrations.ts";
import { type Database, openDatabase } from "./database.ts";
import { LOCKS } from "./locks.ts";
import { MIGRATIONS, migrateDatabase } from "./migrate.ts";
import { type EmptyDatabase, emptyDatabase } from "./testing/subject.ts";

let empty: EmptyDatabase;
let database: Database;
beforeEach(async () => {
  empty = await emptyDatabase();
  database = openDatabase(empty.url, () => undefined);
});
afterEach(async () => {
  await database.close();
  await empty.dispose();
});

/** Puts the tables of an older version in place of today's. */
async function becomeOlder(newest: string): Promise<void> {
  await database.run("DROP SCHEMA public CASCADE");
  await database.run("CREATE SCHEMA public");
  await database.run(
    "CREATE TABLE __drizzle_migrations (id bigint GENERATED ALWAYS AS IDENTITY, hash text NOT NULL, created_at bigint NOT NULL)",
  );
  for (const { tag, sql, hash, when } of readMigrations(MIGRATIONS)) {
    for (const statement of sql) await database.run(statement);
    await database.run("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ($1, $2)", [hash, when]);
    if (tag === newest) return;
  }
}

test("an update waits for a replica that is writing, and neither ends the other", async () => {
  await becomeOlder("0018_conditions_of_firings");
  const reading = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  // As the log's writer does: it reads what it needs to know of a table, and then writes it.
  const written = database.transaction(true, async (queries) => {
    await queries.rows("SELECT pg_advisory_xact_lock($1)", [LOCKS.log]);
    await queries.rows("SELECT position FROM conversations LIMIT 1");
    reading.resolve();
    await letGo.promise;
    return queries.run("UPDATE conversations SET title = 'Refund'");
  });
  await reading.promise;
  const migrated = migrateDatabase(database);
  await expect.poll(() => database.rows("SELECT 1 FROM pg_locks WHERE NOT granted")).not.toEqual([]);
  letGo.resolve();
  await expect(Promise.all([written, migrated])).resolves.toEqual([0, undefined]);
});

test("Security: an update finds the users of cases that were saved before, whatever they are called", async () => {
  await becomeOlder("0018_conditions_of_firings");
  const payload = (user_id: string, more: object = {}) => JSON.stringify({ user_id, ...more });
  const events = [
    ["conversation.created", "program:key", payload('jo "7" é')],
    ["run.started", "agent:helper", payload("DOM\\ann", { input: "a\0b" })],
    ["message.created", "user:boris", JSON.stringify({ content: "Hi" })],
    ["message.created", "agent:helper", payload("nobody")],
  ] as const;
  for (const [index, [type, actor, text]] of events.entries())
    await database.run(
      `INSERT INTO events (position, id, conversation_id, seq, type, actor, error, recorded_at, payload)
       VALUES ($1, $2, 'c', $1, $3, $4, 0, 1, $5)`,
      [index + 1, `e${index}`, type, actor, text],
    );
  for (const [id, conversation] of [
    ["c:0", "c"],
    ["d:0", "d"],
  ] as const)
    await database.run(
      `INSERT INTO suite_cases (suite, id, conversation_id, title, tags, calls, created_at, created_by, tools, content)
       VALUES ('refunds', $1, $2, 'Case', '[]', 0, 1, 'operator:anna', '[]', '{}')`,
      [id, conversation],
    );
  await migrateDatabase(database);
  const cases = await database.rows<{ users: string }>("SELECT users FROM suite_cases ORDER BY id");
  expect(cases.map(({ users }) => JSON.parse(users).sort())).toEqual([["DOM\\ann", "boris", 'jo "7" é'], []]);
});
