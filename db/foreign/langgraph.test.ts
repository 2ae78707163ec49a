import { createReadStream } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventProblems } from "../../lib/intake/new-event.ts";
import { readImport } from "../../lib/intake/read-import.ts";
import { all, folded } from "../../lib/intake/testing/stored.ts";
import { readCheckpoints } from "./langgraph.ts";
import { type FileOptions, writeCheckpoints } from "./testing/checkpoints.ts";

let directory = "";
const checkpointFile = (name: string, options?: FileOptions) => writeCheckpoints(join(directory, name), options);
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "obelus-langgraph-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const read = (path: string, deadline_ms?: number) =>
  all(
    readImport(createReadStream(path), {
      readCheckpoints: (bytes) => readCheckpoints(bytes, { folder: directory, ...(deadline_ms && { deadline_ms }) }),
    }),
  );

test("E14: a thread of checkpoints is a conversation, with its calls and the state of each step", async () => {
  const [thread, ...others] = await read(await checkpointFile("one.sqlite"));
  expect(others).toEqual([]);
  const events = thread?.events ?? [];
  expect(events.flatMap(eventProblems)).toEqual([]);
  const session = folded(events);
  expect(session.warnings).toEqual([]);
  expect(session.messages.map(({ role, content }) => [role, content])).toEqual([
    ["user", "Where is 88412?"],
    ["assistant", "In Köln."],
  ]);
  expect([...session.calls.values()]).toMatchObject([
    { tool: "find", status: "succeeded", params: { id: 88412 }, output: { place: "Köln" } },
  ]);
  expect([...session.runs.values()]).toMatchObject([
    { status: "finished", state: { "": { plan: null, order: { id: 88412, place: "Köln" } } } },
  ]);
  expect(events.find(({ type }) => type === "state.written")?.occurred_at).toBe("2026-11-22T12:00:04.000Z");
});

test("E14: an interrupted thread is waiting", async () => {
  const [thread] = await read(await checkpointFile("stop.sqlite", { stop: true }));
  expect([...folded(thread?.events ?? []).runs.values()]).toMatchObject([{ status: "waiting" }]);
});

test("E14: other SQLite files, damaged ones and other serializations are refused with a message", async () => {
  const other = join(directory, "other.sqlite");
  new Database(other).exec("CREATE TABLE checkpoints (thread_id TEXT)").close();
  await expect(read(other)).rejects.toThrow("This SQLite file has no column checkpoints.checkpoint_ns");
  const damaged = join(directory, "damaged.sqlite");
  await writeFile(damaged, `SQLite format 3\0${"x".repeat(4_000)}`);
  await expect(read(damaged)).rejects.toThrow("This SQLite file is damaged");
  await expect(read(await checkpointFile("python.sqlite", { type: "msgpack" }))).rejects.toThrow(
    "The checkpoint 1f0-1 of the thread thread is stored as msgpack; only JSON is supported",
  );
});

const COLUMNS = "thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata";
const WRITES = "CREATE TABLE writes (thread_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, value);";
const ROW = `'t' AS thread_id, '' AS checkpoint_ns, 'a' AS checkpoint_id, NULL AS parent_checkpoint_id, 'json' AS type,
  '{"channel_values":{}}' AS checkpoint, '{}' AS metadata`;
const VALUES = `'t', '', 'a', NULL, 'json', '{"channel_values":{}}', '{}'`;

test.each([
  ["a view", `CREATE VIEW checkpoints AS SELECT ${ROW};`, "has no table checkpoints"],
  [
    "a virtual table",
    `CREATE VIRTUAL TABLE checkpoints USING fts5(${COLUMNS}); INSERT INTO checkpoints VALUES (${VALUES});`,
    "has no table checkpoints",
  ],
  [
    "a computed column",
    `CREATE TABLE checkpoints (${COLUMNS.replace("checkpoint_ns", "checkpoint_ns AS ('')")});`,
    "has no column checkpoints.checkpoint_ns",
  ],
  [
    "a checkpoint of more than 5 MB",
    `CREATE TABLE checkpoints (${COLUMNS});
     INSERT INTO checkpoints VALUES ('t', '', 'a', NULL, 'json', zeroblob(6000000), '{}');`,
    "has more than 5 MB",
  ],
])("a file of SQLite with %s is refused", async (name, schema, sentence) => {
  const path = join(directory, `${name}.sqlite`);
  new Database(path).exec(schema + WRITES).close();
  await expect(read(path)).rejects.toThrow(sentence);
});

test("reading a file that takes too long is aborted and leaves nothing", async () => {
  const path = join(directory, "long.sqlite");
  // Without an index, finding the newest checkpoint of each thread scans all of them.
  new Database(path)
    .exec(
      `CREATE TABLE checkpoints (${COLUMNS}); ${WRITES}
       WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 200000)
       INSERT INTO checkpoints SELECT 't' || x, '', 'a', NULL, 'json', '{"channel_values":{}}', '{}' FROM c;`,
    )
    .close();
  const before = await readdir(directory);
  await expect(read(path, 500)).rejects.toThrow("took longer than 0.5 s; split it");
  expect(await readdir(directory)).toEqual(before);
});
