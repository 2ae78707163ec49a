import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import type { SessionEvent } from "../../lib/session/event.ts";
import { anySession, inConversation } from "../../lib/session/testing/events.ts";
import { everything } from "../contract/log/erasures.ts";
import { newEvent, newEvents, newMessage } from "../contract/subject.ts";
import { moveToDirectory, moveToPostgres } from "../move/move.ts";
import { MOVED, type Row } from "../move/tables.ts";
import { openForReading } from "../sqlite/connection.ts";
import { refuseMoved } from "../sqlite/data-dir/moved.ts";
import { sqliteSide } from "../sqlite/moved-tables.ts";
import { DATABASE_FILE } from "../sqlite/open.ts";
import { type SqliteSubject, sqliteSubject } from "../sqlite/testing/subject.ts";
import type { Storage } from "../storage.ts";
import { openDatabase } from "./database.ts";
import { openPostgres } from "./open.ts";
import { type EmptyDatabase, emptyDatabase } from "./testing/subject.ts";

const NEVER = new AbortController().signal;
const logger = { warn: () => undefined, error: () => undefined };
const onProgress = () => undefined;

const told = { onCommit: () => undefined, logger };

const opened: { dispose(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.dispose();
});

async function source(): Promise<SqliteSubject> {
  const subject = await sqliteSubject();
  opened.push(subject);
  return subject;
}

async function target(): Promise<EmptyDatabase> {
  const database = await emptyDatabase();
  opened.push(database);
  return database;
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "obelus-moved-"));
  opened.push({ dispose: () => rm(path, { recursive: true }) });
  return path;
}

/** Something in every table. */
async function fill(storage: Storage, sessions: readonly (readonly SessionEvent[])[]): Promise<void> {
  const {
    log,
    users,
    signIns,
    keys,
    audit,
    notices,
    telegram,
    spans,
    erasures,
    bookmarks,
    scores,
    queue,
    notes,
    runOwners,
    suites,
    views,
    alertRules,
    absences,
  } = storage;
  const requester = { caller: { kind: "everybody" }, address: "127.0.0.1", request_id: "r" } as const;
  await log.importConversations(
    (async function* () {
      for (const [index, events] of sessions.entries())
        if (events.length > 0) yield { conversation_id: `s-${index}`, events: inConversation(`s-${index}`, events) };
    })(),
    NEVER,
  );
  await log.append([...everything("c-1"), newMessage("odd", "\u0000 nothing \u2028 «ёлка» 🎄")]);
  await log.append(newEvents("long", 1_500));
  await log.appendOwn([
    newEvent({ id: "own", type: "run.started", run_id: "own-run", agent_id: "crm", payload: {} }),
    newEvent({
      ...{ id: "used", type: "model.responded", run_id: "own-run", agent_id: "crm" },
      payload: { model: "m", provider: "p", input_tokens: 3, output_tokens: 1 },
    }),
  ]);
  const state = { expect: { kind: "any" }, actor: null } as const;
  await runOwners.take("own-run", { key: "user:anna" });
  await log.putAgentState({ agentId: "crm", key: "Ключ", value: { z: 1, a: [1.0, 1e21] }, ...state });
  await log.putAgentState({ agentId: "crm", key: "gone", value: 1, ...state });
  await log.deleteAgentState({ agentId: "crm", key: "gone", ...state });
  await bookmarks.put("long", { seq: 7, note: "Look", by: "operator:anna" });
  const noted = { seq: 7, run_id: null, call_id: null, path: "†state.a", mentions: ["anna"], by: "operator:anna" };
  await notes.add("long", { ...noted, text: "Look @anna" });
  await views.add({ owner: "operator:anna", name: "Costly", query: "sort=cost", shared: true });
  await queue.change(["long"], { assignee: "anna", due_at: "2026-01-01T00:00:00.000Z", add_tags: ["refund"] });
  const score = { name: "rating", value: 4, source: "person", comment: "Good", by: "operator:anna" } as const;
  await scores.put("long", { ...score, seq: 7, run_id: null, call_id: null });
  await scores.keep([{ place: { events: "otlp:t:s:" }, score: { ...score, seq: null, run_id: null, call_id: null } }]);
  await notices.follow("email");
  await log.append([
    newEvent({
      ...{ id: "asked", conversation_id: "long", type: "confirmation.requested" },
      payload: { confirmation_id: "waiting", key: "w", action: { method: "pay", params: {} } },
    }),
    newEvent({ id: "alerted", conversation_id: "long", type: "manager.alerted", payload: { text: "Help" } }),
  ]);
  await notices.gather("email", (_, since) => ({ number: 1, dueAt: since }));
  const { id } = await users.add({ name: "anna", role: "admin", password_hash: "hash" });
  await absences.set({
    name: "anna",
    deputy: "boris",
    from: "2026-11-01T00:00:00.000Z",
    until: "2026-11-02T00:00:00.000Z",
  });
  await signIns.add({
    ...{ token_hash: "t", user_id: id, proven: "hash", expires_at: Date.now() + 1e6 },
    ...{ address: "127.0.0.1", user_agent: null },
  });
  for (const name of ["zulu", "alpha"])
    await keys.add({ name, token_hash: name, shown: "ob_…", scopes: ["read"], created_by: "anna", expires_at: null });
  await audit.append({ action: "user.added", target: "user:anna", after: { role: "admin" } }, requester);
  await audit.append({ action: "user.added", target: "user:boris", after: { role: "viewer" } }, requester);
  await telegram.receive({ update_id: 5, conversation_id: "telegram:1", update: { message: { text: "Hi" } } });
  await spans.keep([
    { trace_id: "b", span_id: "2", parent_span_id: null, content: '{"n":1}' },
    { trace_id: "a", span_id: "1", parent_span_id: "2", content: '{"n":2}' },
  ]);
  await erasures.add({ id: "e", kind: "user", target: "carl", reason: null, receipt: "r", requested_by: "anna" });
  const saved = {
    id: "1",
    title: "Case",
    tags: [],
    conversation_id: "long",
    calls: 0,
    content: "{}",
    tools: [],
    users: ["anna"],
  };
  await suites.addCase("refunds", saved, "operator:anna", { epoch: 0, suites: 9, cases: 9 });
  await suites.addRun(
    {
      ...{ id: "r", suite: "refunds", agent_id: "crm", version: "v", model: "m", rule: "stop", tries: 1 },
      ...{ cases: ["1"], total: 1, started_by: "operator:anna" },
    },
    "w",
  );
  await suites.startRun("r", "w");
  await suites.addTry("r", "w", { case_id: "1", number: 1, outcome: "passed", brief: "{}", result: "{}" });
  await suites.addVersion({ agent_id: "crm", version: "v", definition: {}, created_by: "operator:anna" });
  await suites.addPromotion({
    ...{ id: "p", agent_id: "crm", version: "v", before: "u", run_id: null, promoted_by: "operator:anna" },
  });
  const condition = {
    metric: "cost",
    operator: "above",
    threshold: 5,
    window_hours: 1,
    min_count: 1,
    quiet_minutes: 0,
  } as const;
  await alertRules.add({ id: "costly", name: "Costly", condition, enabled: true, by: "operator:anna" }, 9);
  const rule = await alertRules.get("costly");
  if (!rule) throw new Error("The rule was not stored");
  await alertRules.begin(rule, { id: "firing", at: 3_600_000, window_from: 0, value: 7.5, count: 3 });
  // Snapshots and timelines are made in the background.
  await storage.sessions.view("long", 1_200);
  await vi.waitFor(async () => {
    expect((await storage.conversations.list({ q: "nothing", limit: 1 })).behind).toBeUndefined();
  });
}

/** All rows of a data directory that are moved. */
async function rowsOf(dataDir: string): Promise<Record<string, Row[]>> {
  const connection = openForReading(join(dataDir, DATABASE_FILE));
  try {
    const rows: Record<string, Row[]> = {};
    for (const table of MOVED) {
      const all: Row[] = [];
      for (let page = await sqliteSide(connection).read(table, null); page.length > 0; ) {
        all.push(...page);
        page = await sqliteSide(connection).read(table, page.at(-1) ?? null);
      }
      rows[table.name] = all;
    }
    return rows;
  } finally {
    connection.close();
  }
}

test("a database that is moved to Postgres and back is the same", async () => {
  const [sqlite, postgres, back] = [await source(), await target(), await folder()];
  const sessions = fc.sample(anySession, { numRuns: 40, seed: 7 });
  await fill(sqlite.storage, sessions);
  await sqlite.storage.close();
  const before = await moveToPostgres({ dataDir: sqlite.dataDir, url: postgres.url, logger, onProgress });
  expect(before.conversations).toBeGreaterThan(20);
  const rows = await rowsOf(sqlite.dataDir);
  for (const { name, isDerived } of MOVED) if (!isDerived) expect([name, rows[name]?.length]).not.toEqual([name, 0]);
  expect(await moveToDirectory({ dataDir: back, url: postgres.url, logger, onProgress })).toEqual(before);
  const returned = await rowsOf(back);
  for (const { name, isDerived } of MOVED) if (!isDerived) expect([name, returned[name]]).toEqual([name, rows[name]]);
});

test("no server starts on what was moved away, which would carry on its runs a second time, before that is allowed", async () => {
  const [sqlite, postgres, back] = [await source(), await target(), await folder()];
  await sqlite.storage.log.append(newEvents("c", 3));
  await sqlite.storage.close();
  const openReplica = async () =>
    openPostgres({ url: postgres.url, dataDir: await folder(), durability: "normal", ...told });
  await moveToPostgres({ dataDir: sqlite.dataDir, url: postgres.url, logger, onProgress });
  expect(() => refuseMoved(sqlite.dataDir)).toThrow(/was moved to Postgres.*set OBELUS_DATABASE_URL, or remove/);
  await (await openReplica()).close();
  await moveToDirectory({ dataDir: back, url: postgres.url, logger, onProgress });
  await expect(openReplica()).rejects.toThrow(/was moved into a data directory.*drop the table obelus_moved/);
  refuseMoved(back);
  await rm(join(sqlite.dataDir, "moved.txt"));
  refuseMoved(sqlite.dataDir);
  const database = openDatabase(postgres.url, () => undefined, 1);
  await database.run("DROP TABLE obelus_moved");
  await database.close();
  await (await openReplica()).close();
});

test("what was moved is used as before: numbers go on, the search finds, spans and keys keep their order", async () => {
  const [sqlite, postgres] = [await source(), await target()];
  await fill(sqlite.storage, []);
  const head = await sqlite.storage.events.head();
  await sqlite.storage.close();
  await moveToPostgres({ dataDir: sqlite.dataDir, url: postgres.url, logger, onProgress });
  const storage = await openPostgres({
    ...{ url: postgres.url, dataDir: await folder(), durability: "normal", onCommit: () => undefined, logger },
  });
  opened.push({ dispose: () => storage.close() });
  expect(await storage.log.append(newEvents("new", 1))).toMatchObject([{ position: head + 1, seq: 1 }]);
  expect(await storage.log.append([newEvent({ id: "more", conversation_id: "long" })])).toMatchObject([{ seq: 1_503 }]);
  await storage.keys.add({
    ...{ name: "new", token_hash: "n", shown: "ob_…", scopes: ["read"], created_by: "anna", expires_at: null },
  });
  expect((await storage.keys.list()).map(({ name }) => name).sort()).toEqual(["alpha", "new", "zulu"]);
  await storage.spans.keep([{ trace_id: "a", span_id: "3", parent_span_id: null, content: "{}" }]);
  const { spans } = await storage.spans.news("a", [], { spans: 9, characters: 999 });
  expect(spans.map(({ span_id }) => span_id)).toEqual(["1", "3"]);
  await expect
    .poll(async () => (await storage.conversations.list({ q: "ёлка", limit: 1 })).items.map(({ id }) => id))
    .toEqual(["c"]);
});

test("a move that is killed goes on where it was, and no server starts on what is not complete", async () => {
  const [sqlite, postgres] = [await source(), await target()];
  for (let count = 0; count < 40; count += 1) await sqlite.storage.log.append(newEvents(`c-${count}`, 1_000));
  await sqlite.storage.close();
  const program = join(import.meta.dirname, "../../scripts/commands/main.ts");
  const child = spawn(process.execPath, [program, "move", "--to", postgres.url], {
    env: { ...process.env, OBELUS_DATA_DIR: sqlite.dataDir },
    stdio: "ignore",
  });
  const database = openDatabase(postgres.url, () => undefined, 1);
  opened.push({ dispose: () => database.close() });
  const moved = async () => {
    const [row] = await database.rows<{ count: number }>("SELECT count(*) FROM events").catch(() => [{ count: 0 }]);
    return row?.count ?? 0;
  };
  await expect.poll(moved, { interval: 5 }).toBeGreaterThan(0);
  child.kill("SIGKILL");
  await new Promise((resolve) => child.once("exit", resolve));
  // Postgres may still be storing what it was sent.
  const others = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
  await expect.poll(() => database.rows(others)).toEqual([]);
  const before = await moved();
  expect(before).toBeLessThan(40_000);
  const options = { url: postgres.url, dataDir: await folder(), durability: "normal", logger } as const;
  await expect(openPostgres({ ...options, onCommit: () => undefined })).rejects.toThrow("is not complete");
  const copied: number[] = [];
  const result = await moveToPostgres({
    ...{ dataDir: sqlite.dataDir, url: postgres.url, logger },
    onProgress: ({ phase, table, done }) => phase === "copying" && table === "events" && copied.push(done),
  });
  expect(copied[0]).toBe(before);
  expect(result).toEqual({ conversations: 40, events: 40_000 });
  expect(await moved()).toBe(40_000);
});

test("a move is refused into a database that is not empty or in use, from one in use, and after a change", async () => {
  const [sqlite, postgres] = [await source(), await target()];
  await sqlite.storage.log.append(newEvents("c", 3));
  const move = () => moveToPostgres({ dataDir: sqlite.dataDir, url: postgres.url, logger, onProgress });
  await expect(move()).rejects.toThrow("is in use");
  await sqlite.storage.close();
  const running = await openPostgres({
    ...{ url: postgres.url, dataDir: await folder(), durability: "normal", onCommit: () => undefined, logger },
  });
  await expect(move()).rejects.toThrow("stop all replicas");
  await running.log.append(newEvents("other", 1));
  await running.close();
  await expect.poll(() => move().catch((error: Error) => error.message)).toContain("is not empty");

  const second = await target();
  const stopped = moveToPostgres({
    ...{ dataDir: sqlite.dataDir, url: second.url, logger },
    onProgress({ phase }) {
      if (phase === "comparing" || phase === "views") throw new Error("stopped");
    },
  });
  await expect(stopped).rejects.toThrow("stopped");
  await sqlite.reopen();
  await sqlite.storage.log.append(newEvents("c2", 1));
  await sqlite.storage.close();
  const again = moveToPostgres({ dataDir: sqlite.dataDir, url: second.url, logger, onProgress });
  await expect(again).rejects.toThrow("before it was changed");
});

test("every table is moved, or made anew at the other end", async () => {
  const sqlite = await source();
  const connection = openForReading(join(sqlite.dataDir, DATABASE_FILE));
  const inSqlite = connection
    .prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all()
    .filter((name) => !name.includes("_search"));
  connection.close();
  const postgres = await target();
  const database = openDatabase(postgres.url, () => undefined);
  const inPostgres = await database.rows<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
  );
  await database.close();
  // The search, and what is under way only while a server runs.
  const left = ["__drizzle_migrations", "event_search", "search_progress", "unfinished_forks", "span_parts"].concat(
    // Made anew from the log, in the background.
    ["cells", "parts", "states", "series", "progress", "due", "averages"].map((name) => `rollup_${name}`),
    ["conversation_totals", "counted_prices"],
    ...["span_claims", "closed_conversations", "erased_conversations", "erasure_epoch"],
  );
  const known = new Set([...MOVED.map(({ name }) => name), ...left]);
  expect(inSqlite.filter((name) => !known.has(name))).toEqual([]);
  expect(inPostgres.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
});

test("what was moved with a directory's secret is opened with no other one", async () => {
  const { dataDir, ...from } = await source();
  await from.storage.close();
  const { url } = await target();
  await writeFile(join(dataDir, "secret.key"), `${"5e".repeat(32)}\n`);
  await moveToPostgres({ dataDir, url, logger, onProgress });
  const open = async (secret: string) =>
    openPostgres({
      ...{ url, dataDir: await folder(), durability: "normal", onCommit: () => undefined, logger },
      secret: Buffer.from(secret, "hex"),
    });
  await expect(open("ab".repeat(32))).rejects.toMatchObject({ code: "data_refused" });
  await (await open("5e".repeat(32))).close();
});
