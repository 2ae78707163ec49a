import { createReadStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
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

const read = (path: string) => all(readImport(createReadStream(path), { readCheckpoints }));

test("E14: a thread of LangGraph's checkpoints is a conversation, with its calls and the state of each step", async () => {
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

test("E14: a thread that stands still for a person waits", async () => {
  const [thread] = await read(await checkpointFile("stop.sqlite", { stop: true }));
  expect([...folded(thread?.events ?? []).runs.values()]).toMatchObject([{ status: "waiting" }]);
});

test("E14: another file of SQLite, a damaged one and another way to write checkpoints are refused in words", async () => {
  const other = join(directory, "other.sqlite");
  new Database(other).exec("CREATE TABLE checkpoints (thread_id TEXT)").close();
  await expect(read(other)).rejects.toThrow("This file of SQLite has no column checkpoints.checkpoint_ns");
  const damaged = join(directory, "damaged.sqlite");
  await writeFile(damaged, `SQLite format 3\0${"x".repeat(4_000)}`);
  await expect(read(damaged)).rejects.toThrow("This file of SQLite is damaged");
  await expect(read(await checkpointFile("python.sqlite", { type: "msgpack" }))).rejects.toThrow(
    "The checkpoint 1f0-1 of the thread thread is written as msgpack; only JSON is read",
  );
});
