import { join } from "node:path";
import { openRunJobs } from "../../db/postgres/jobs/run-jobs.ts";
import { openPostgres } from "../../db/postgres/open.ts";
import { openStorage } from "../../db/sqlite/open.ts";
import { createBus } from "../../lib/server/bus.ts";
import { createOwnership } from "../../lib/server/wiring/ownership.ts";
import { timeRun, wavesOf100 } from "../engine.ts";
import { count, median, milliseconds, printTable, ratio } from "../table.ts";
import { type BenchPostgres, type Busy, busyDuring, processors } from "./peers.ts";

const CALLS = 10_000;
const ROUNDS = 3;

interface Round {
  ms: number;
  commits: number;
  busy: Busy;
}

/** Benchmarks a plan of 100 waves of 100 calls without work, in the benchmark's process. */
export async function benchRuns(postgres: BenchPostgres, dataDir: string): Promise<void> {
  const rounds: { sqlite: Round[]; replica: Round[] } = { sqlite: [], replica: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.sqlite.push(await onSqlite(postgres, join(dataDir, `sqlite-${round}`)));
    rounds.replica.push(await onPostgres(postgres, join(dataDir, `replica-${round}`)));
  }
  const [sqlite, replica] = [middle(rounds.sqlite), middle(rounds.replica)];
  printTable(
    `${count(CALLS)} calls in 100 waves, durable; processors that were busy, of two`,
    ["peer", "time", "per call", "commits", "to SQLite", "engine and storage", "Postgres"],
    [
      { name: "SQLite", ...sqlite },
      { name: "1 replica", ...replica },
    ].map(({ name, ms, commits, busy }) => [
      name,
      milliseconds(ms),
      `${((ms * 1_000) / CALLS).toFixed(0)} µs`,
      count(commits),
      ratio(ms / sqlite.ms),
      processors(busy.clients),
      processors(busy.postgres),
    ]),
  );
}

async function onSqlite(postgres: BenchPostgres, dataDir: string): Promise<Round> {
  const storage = await openStorage({ dataDir, durability: "full", onCommit: () => undefined, logger: console });
  const round = await timed(postgres, () => timeRun(storage, null, wavesOf100(CALLS)));
  await storage.close();
  return round;
}

async function onPostgres(postgres: BenchPostgres, dataDir: string): Promise<Round> {
  const url = await postgres.database();
  const bus = createBus();
  const onCommit = (position: number) => bus.publish(position);
  const storage = await openPostgres({ url, dataDir, durability: "full", onCommit, logger: console });
  const ownership = createOwnership(await openRunJobs(url, 1, console), { ...storage, bus, logger: console });
  const round = await timed(postgres, () => timeRun(storage, ownership, wavesOf100(CALLS)));
  await ownership.stop();
  await storage.close();
  return round;
}

async function timed(postgres: BenchPostgres, run: () => ReturnType<typeof timeRun>): Promise<Round> {
  let done = { run: 0, groups: [] as unknown[] };
  const busy = await busyDuring({ servers: [] }, postgres, async () => {
    done = await run();
  });
  return { ms: done.run, commits: done.groups.length, busy };
}

/** The round with the middle time. */
function middle(rounds: readonly Round[]): Round {
  const ms = median(rounds.map((round) => round.ms));
  const found = rounds.find((round) => round.ms === ms);
  if (!found) throw new Error("The median is one of the times");
  return found;
}
