import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openDatabase } from "../db/postgres/database.ts";
import { openPostgres } from "../db/postgres/open.ts";
import { countAverages } from "../db/queries/totals.ts";
import type { ConversationQuery, NewEvent } from "../db/repositories.ts";
import { openForReading, openForWriting } from "../db/sqlite/connection.ts";
import { DATABASE_FILE, openStorage } from "../db/sqlite/open.ts";
import { listConversations } from "../db/sqlite/queries/conversations.ts";
import { readQueueCounts } from "../db/sqlite/queries/queue.ts";
import { readRollupBatch, readRollupProgress } from "../db/sqlite/rollup/read-batch.ts";
import { readOverview, readTool, readTools } from "../db/sqlite/rollup/rollup-reads.ts";
import { createRollupWrites } from "../db/sqlite/rollup/rollup-writes.ts";
import type { Storage } from "../db/storage.ts";
import { QUEUE_VIEWS } from "../lib/queue/queue.ts";
import type { OverviewQuery } from "../lib/rollup/overview.ts";
import { SORTS } from "../lib/rollup/totals.ts";
import type { Json } from "../lib/session/json/json.ts";
import { production } from "../scripts/seed/production.ts";

/**
 * `node bench/overview.ts --conversations 100000`: how long the rollup takes to follow the log, and how long its pages take to
 * read, on a year of seeded production data. `--data DIRECTORY` keeps the data for the next time. `--database postgres://…` fills
 * and reads that one, unless it is filled already.
 */

const { values } = parseArgs({
  options: {
    conversations: { type: "string", default: "100000" },
    data: { type: "string" },
    database: { type: "string" },
  },
});
const size = Number(values.conversations);
const DAY_MS = 86_400_000;
const BATCH = 1_000;
const TRIES = 7;
const BATCHES_BETWEEN_CHECKPOINTS = 8;
const PRICES = Object.fromEntries(
  ["sonnet-4.5", "haiku-4.5", "gpt-5-mini"].map((model) => [model, { input: 3, output: 15, currency: "USD" }]),
);

const now = Date.now();
const to = Math.ceil(now / 3_600_000) * 3_600_000;
const logger = { warn: console.warn, error: console.error };

/** Gives every second conversation a rating, one in a hundred a bad one and a place in the queue. */
const JUDGEMENTS = [
  ...["DELETE FROM scores", "DELETE FROM queue"],
  `INSERT INTO scores SELECT id, 'rating', NULL, NULL, NULL, 'rating', 'number', CASE position % 100 WHEN 0 THEN '1' ELSE '4' END,
    'person', NULL, 'operator:anna', updated_at, NULL FROM conversations WHERE position % 2 = 0`,
  `INSERT INTO scores SELECT id, 'judged', NULL, NULL, NULL, 'faithfulness', 'number', '0.8', 'program', NULL, 'judge', updated_at,
    NULL FROM conversations WHERE position % 2 = 0`,
  `INSERT INTO queue SELECT id, CASE position % 3 WHEN 0 THEN 'anna' END, ${now - 1}, NULL, NULL, '${"\n"}refund${"\n"}'
    FROM conversations WHERE position % 100 = 0`,
  ...["DELETE FROM rollup_averages", countAverages("true")],
];

/** What is read of a storage, and how long it takes, ms. */
interface Reads {
  overview(query: OverviewQuery): unknown;
  tools(query: OverviewQuery): unknown;
  tool(name: string, query: OverviewQuery): unknown;
  list(query: ConversationQuery): unknown;
  counts(me: string): unknown;
  clock(): number;
}

const dataDir = values.data ?? (await mkdtemp(join(tmpdir(), "obelus-overview-")));
await (values.database === undefined ? onSqlite(dataDir) : onPostgres(dataDir, values.database));
if (values.data === undefined) await rm(dataDir, { recursive: true });

/** Reads in this thread, so that its CPU time tells what else the machine does apart. */
async function onSqlite(directory: string): Promise<void> {
  const storage = await openStorage({ dataDir: directory, durability: "normal", onCommit: () => undefined, logger });
  await fill(storage);
  await storage.close();
  await follow(directory);
  const writing = openForWriting(join(directory, DATABASE_FILE), "normal");
  for (const statement of JUDGEMENTS) writing.exec(statement);
  writing.close();
  const connection = openForReading(join(directory, DATABASE_FILE));
  await readAll({
    overview: (query) => readOverview(connection, query, {}),
    tools: (query) => readTools(connection, query),
    tool: (name, query) => readTool(connection, name, query),
    list: (query) => listConversations(connection, query, null),
    counts: (me) => readQueueCounts(connection, me, now),
    clock: busy,
  });
  connection.close();
}

/** Reads through the storage: what Postgres does is not in this process. */
async function onPostgres(directory: string, url: string): Promise<void> {
  const storage = await openPostgres({
    url,
    dataDir: directory,
    durability: "normal",
    onCommit: () => undefined,
    logger,
  });
  await storage.rollup.usePrices(PRICES);
  await fill(storage);
  const began = performance.now();
  while ((await storage.rollup.overview({ from: to - DAY_MS, to }, {})).behind > 0) await delay(1_000);
  tell("until all is counted, s", (performance.now() - began) / 1_000);
  const database = openDatabase(url, logger.warn, 1);
  const session = await database.connect(0);
  for (const statement of JUDGEMENTS) await session.run(statement);
  // As autovacuum does within minutes.
  await session.run("VACUUM ANALYZE");
  await session.close();
  await database.close();
  await readAll({
    overview: (query) => storage.rollup.overview(query, {}),
    tools: (query) => storage.rollup.tools(query),
    tool: (name, query) => storage.rollup.tool(name, query),
    list: (query) => storage.conversations.list(query),
    counts: (me) => storage.queue.counts(me, now),
    clock: () => performance.now(),
  });
  await storage.close();
}

/** Appends what is seeded, unless it is there, as fast as one client can. */
async function fill(storage: Storage): Promise<void> {
  if ((await storage.events.head()) > 0) return;
  const began = performance.now();
  let count = 0;
  let batch: NewEvent[] = [];
  for (const event of production({ seed: 1, size, now }).events) {
    batch.push({ ...event, payload: event.payload as Json });
    if (batch.length < BATCH) continue;
    await storage.log.append(batch);
    count += batch.length;
    batch = [];
  }
  await storage.log.append(batch);
  tell("events appended beside search and rollup, a second", count / ((performance.now() - began) / 1_000));
}

/** Counts all of it anew: what is read and folded in a thread, and what the writer stores, by event. */
async function follow(directory: string): Promise<void> {
  const writing = openForWriting(join(directory, DATABASE_FILE), "normal");
  const reading = openForReading(join(directory, DATABASE_FILE));
  for (const table of ["cells", "parts", "states", "series", "progress"]) writing.exec(`DELETE FROM rollup_${table}`);
  writing.exec("DELETE FROM conversation_totals; DELETE FROM counted_prices");
  const writes = createRollupWrites(writing);
  writes.usePrices(PRICES);
  const nothingErased = { epoch: () => 0, isClosed: () => false, isOld: () => false };
  // In the server, a thread of its own does checkpoints.
  writing.pragma("wal_autocheckpoint = 0");
  let folding = 0;
  const took: number[] = [];
  for (;;) {
    const began = busy();
    const batch = readRollupBatch(reading);
    const folded = busy();
    if (!batch) break;
    writing.transaction(() => writes.save(batch, nothingErased, 0))();
    const saved = busy();
    folding += folded - began;
    took.push(saved - folded);
    // As often as that thread does. A larger log would be cut by the next transaction, which takes 0.3 s.
    if (took.length % BATCHES_BETWEEN_CHECKPOINTS === 0) writing.pragma("wal_checkpoint(PASSIVE)");
  }
  const events = Number(writing.prepare("SELECT count(*) FROM events").pluck().get());
  tell("events", events);
  tell("up to position", readRollupProgress(reading));
  tell("read and folded in a thread, µs an event", (folding / events) * 1_000);
  tell("stored by the writer, µs an event", (took.reduce((sum, one) => sum + one, 0) / events) * 1_000);
  took.sort((one, other) => one - other);
  tell("a batch of the writer, median, ms", took[Math.floor(took.length / 2)] ?? 0);
  tell("a batch of the writer, p99, ms", took[Math.floor(took.length * 0.99)] ?? 0);
  tell("the longest that others wait for it, ms", took.at(-1) ?? 0);
  const began = busy();
  writing.transaction(() => writes.usePrices({}))();
  writing.transaction(() => writes.usePrices(PRICES))();
  tell("new prices applied to all conversations, ms", (busy() - began) / 2);
  for (const table of ["cells", "parts", "states", "series"])
    tell(`rows of rollup_${table}`, Number(writing.prepare(`SELECT count(*) FROM rollup_${table}`).pluck().get()));
  reading.close();
  writing.close();
}

/** How long this thread was busy, ms: it does not depend on what else the machine does. */
function busy(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** All that is read. */
async function readAll(reads: Reads): Promise<void> {
  await read(reads);
  await list(reads);
  await sorted(reads);
}

async function read(reads: Reads): Promise<void> {
  const time = (what: string, work: () => unknown) => timed(what, work, reads.clock);
  const back = (days: number) => ({ from: to - days * DAY_MS, to });
  await time("overview of 7 days", () => reads.overview(back(7)));
  await time("overview of 7 days, one agent", () => reads.overview({ ...back(7), agent: "support" }));
  await time("overview of 30 days", () => reads.overview(back(30)));
  await time("overview of a year", () => reads.overview(back(365)));
  await time("overview of a year, one channel", () => reads.overview({ ...back(365), channel: "web" }));
  for (const slice of [{ channel: "web" }, { model: "sonnet-4.5" }, { stage: "admin" }])
    for (const days of [7, 14])
      await time(`overview of ${days} days, one ${Object.keys(slice)[0]}`, () =>
        reads.overview({ ...back(days), ...slice }),
      );
  for (const slice of [{ agent: "support" }, { model: "sonnet-4.5" }])
    for (const days of [7, 14])
      await time(`overview of ${days} days, one ${Object.keys(slice)[0]} in a channel`, () =>
        reads.overview({ ...back(days), ...slice, channel: "web" }),
      );
  await time("tools of 7 days", () => reads.tools(back(7)));
  for (const slice of [{ agent: "support" }, { channel: "web" }, { model: "sonnet-4.5" }])
    for (const days of [7, 14])
      await time(`tools of ${days} days, one ${Object.keys(slice)[0]}`, () => reads.tools({ ...back(days), ...slice }));
  await time("one tool of 7 days", () => reads.tool("payments.refund", back(7)));
  await time("one tool of a year", () => reads.tool("payments.refund", back(365)));
  const failed = { what: "failed_call" as const, tool: "payments.refund" };
  await time("list of those with a failed call of a tool", () =>
    reads.list({ happened: { ...failed, since: to - 7 * DAY_MS, until: to }, limit: 50 }),
  );
  await time("list of those with a turn of a version in a year", () =>
    reads.list({ happened: { what: "turn", version: "2.7.4" }, limit: 50 }),
  );
}

/** The list with scores and the queue. */
async function list(reads: Reads): Promise<void> {
  const time = (what: string, work: () => unknown) => timed(what, work, reads.clock);
  const page = (query: Partial<ConversationQuery>) => () => reads.list({ limit: 50, ...query });
  await time("list", page({}));
  await time("list by a frequent score", page({ score: { name: "rating", is: { operator: ">=", value: "4" } } }));
  await time(
    "list by a score that one in a hundred has",
    page({ score: { name: "rating", is: { operator: "<", value: "3" } } }),
  );
  await time("list by a score that none has", page({ score: { name: "nothing" } }));
  await time("list of a tag", page({ tag: "refund" }));
  for (const view of QUEUE_VIEWS) time(`queue, ${view}`, page({ queue: { view, me: "anna", now } }));
  await time("counts of the queue's views", () => reads.counts("anna"));
}

/** The list in every order, with any two of these filters and without, after one that fills the cache. */
async function sorted(reads: Reads): Promise<void> {
  const filters: Record<string, Partial<ConversationQuery>> = {
    agent: { agent_id: "support" },
    channel: { channel: "telegram" },
    failed: { status: "failed" },
    month: { from: new Date(now - 30 * DAY_MS).toISOString() },
    "bad score": { score: { name: "rating", is: { operator: "<", value: "3" } } },
    "good score": { score: { name: "rating", is: { operator: ">=", value: "4" } } },
    tag: { tag: "refund" },
    assignee: { assignee: "anna" },
    "failed call": { happened: { what: "failed_call", tool: "payments.refund", since: to - 7 * DAY_MS, until: to } },
    version: { happened: { what: "turn", version: "2.7.4" } },
    "older version": { happened: { what: "turn", version: "2.6.1" } },
    "rare score": { score: { name: "rating", is: { operator: "<", value: "1" } } },
    "no agent": { agent_id: "nobody" },
    tokens: { ranges: { tokens: { least: 500 } } },
    failures: { ranges: { failures: { least: 1 } } },
    cost: { ranges: { cost: { least: 0.02, most: 0.05 } } },
    error: { error: { tool: "payments.refund", fingerprint: "0".repeat(16) } },
    "no channel": { channel: "none" },
    "rare cost": { ranges: { cost: { least: 1_000 } } },
    "old week": {
      from: new Date(now - 190 * DAY_MS).toISOString(),
      to: new Date(now - 183 * DAY_MS).toISOString(),
    },
    stage: { stage: "admin" },
  };
  const names = Object.keys(filters);
  const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other]));
  const sorts = [...SORTS.map((by) => ({ by })), { by: "score", score: "rating" } as const];
  const took: { what: string; ms: number }[] = [];
  for (const sort of sorts) {
    for (const pair of [[], ...names.map((name) => [name]), ...pairs]) {
      const query = Object.assign({}, ...pair.map((name) => filters[name]));
      const page = () => reads.list({ limit: 50, ...query, sort });
      await page();
      const began = reads.clock();
      await page();
      took.push({ what: `${sort.by}: ${pair.join(", ")}`, ms: reads.clock() - began });
    }
  }
  took.sort((one, other) => one.ms - other.ms);
  const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))]?.ms ?? 0;
  tell("lists by any order and two filters at most", took.length);
  tell("median, ms", at(0.5));
  tell("p95, ms", at(0.95));
  tell("over 200 ms", took.filter(({ ms }) => ms > 200).length);
  for (const { what, ms } of took.slice(-8)) tell(`  ${what}, ms`, ms);
}

/** The median of some tries, after one that fills the cache. */
async function timed(what: string, work: () => unknown, clock: () => number): Promise<void> {
  await work();
  const took: number[] = [];
  for (let number = 0; number < TRIES; number += 1) {
    const began = clock();
    await work();
    took.push(clock() - began);
  }
  took.sort((one, other) => one - other);
  tell(`${what}, ms`, took[Math.floor(TRIES / 2)] ?? 0);
}

function tell(what: string, value: number): void {
  console.log(`${what.padEnd(56)}${value.toLocaleString("en", { maximumFractionDigits: 1 }).padStart(14)}`);
}
