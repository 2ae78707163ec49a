import { join } from "node:path";
import { openDatabase } from "../db/postgres/database.ts";
import { openForWriting } from "../db/sqlite/connection.ts";
import { DATABASE_FILE } from "../db/sqlite/open.ts";
import { exporterRequest, protobufTraces } from "../lib/intake/otlp/testing/request.ts";
import { startServerProcess } from "../scripts/server-process.ts";
import { cpuSeconds, untilIdle } from "./cpu.ts";
import { batches } from "./ingest.ts";
import { fire, type Shot } from "./load.ts";
import { type Peer, startPostgres, startReplicas } from "./replicas/peers.ts";
import { agentSpans } from "./spans.ts";
import { count, median, printTable, ratio } from "./table.ts";

const LOADS = [
  { name: "single events", batch: 1, connections: 64, requests: 5_000 },
  { name: "batches of 100", batch: 100, connections: 8, requests: 400 },
  { name: "batches of 1,000", batch: 1_000, connections: 8, requests: 50 },
];
const SPANS = { name: "spans, 512 a request", batch: 512, connections: 8, requests: 60 };
/** Rounds alternate between both. The median of their ratios counts: both of a round have the machine as it is then. */
const ROUNDS = 5;

/** No log gets there, so the rollup has nothing to read. */
const END = Number.MAX_SAFE_INTEGER;
const SKIP = `INSERT INTO rollup_progress (id, position) VALUES (1, ${END})`;

const STORAGES = ["sqlite", "postgres"] as const;

/** Benchmarks ingest while the rollup follows the log, and without a rollup, on both storages or those that are named. */
export async function benchRollup(dataDir: string, only: readonly string[]): Promise<void> {
  const unknown = only.find((name) => !STORAGES.some((storage) => storage === name));
  if (unknown !== undefined) throw new Error(`There is no storage ${unknown}; there are ${STORAGES.join(", ")}`);
  const rows: string[][] = [];
  for (const storage of STORAGES)
    if (only.length === 0 || only.includes(storage))
      rows.push(...(await (storage === "sqlite" ? onSqlite(dataDir) : onPostgres(dataDir))));
  printTable(
    "Ingest over HTTP, durable, events or spans/s, while the rollup follows (at least 0.90 × without it)",
    ["", "with the rollup", "without", "ratio", "server's CPU until all is counted", "without"],
    rows,
  );
}

async function onSqlite(dataDir: string): Promise<string[][]> {
  await using started = new AsyncDisposableStack();
  const start = async (name: string) => {
    const server = await startServerProcess(join(dataDir, name), { env: { OBELUS_DEMO: "0" } });
    started.defer(() => server.stop());
    return { servers: [server] };
  };
  const [following, without] = [await start("following"), await start("without")];
  const writing = openForWriting(join(dataDir, "without", DATABASE_FILE), "normal");
  writing.exec(SKIP);
  writing.close();
  return await compare("SQLite", following, without);
}

async function onPostgres(dataDir: string): Promise<string[][]> {
  await using started = new AsyncDisposableStack();
  const postgres = await startPostgres();
  started.defer(() => postgres.stop());
  const start = async (name: string) => {
    const peer = await startReplicas({ postgres, dataDir: join(dataDir, name) }, 1);
    started.defer(() => peer.stop());
    return peer;
  };
  const [following, without] = [await start("postgres-following"), await start("postgres-without")];
  const database = openDatabase(without.url ?? "", () => undefined, 1);
  await database.run(SKIP);
  await database.close();
  return await compare("Postgres", following, without);
}

type Compared = Pick<Peer, "servers">;

async function compare(storage: string, following: Compared, without: Compared): Promise<string[][]> {
  const rows: string[][] = [];
  for (const load of [...LOADS, SPANS]) {
    for (const peer of [following, without])
      await measure(peer, { ...load, requests: Math.ceil(load.requests / 10) }, 0);
    const rounds: Record<"with" | "without", Awaited<ReturnType<typeof measure>>>[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      // Each is first as often.
      const [one, other] = round % 2 ? [following, without] : [without, following];
      const [first, second] = [await measure(one, load, round), await measure(other, load, round)];
      rounds.push(round % 2 ? { with: first, without: second } : { with: second, without: first });
    }
    const middle = (of: "with" | "without", what: "rate" | "cpu") => median(rounds.map((round) => round[of][what]));
    const row = [
      ...[`${storage}, ${load.name}`, count(middle("with", "rate")), count(middle("without", "rate"))],
      ratio(median(rounds.map((round) => round.with.rate / round.without.rate))),
      ...[`${count(middle("with", "cpu"))} µs`, `${count(middle("without", "cpu"))} µs`],
    ];
    console.error(row.join("  "));
    rows.push(row);
  }
  return rows;
}

/** How many a second are acknowledged, and the CPU time that each takes until the server has nothing more to do. */
async function measure({ servers: [server] }: Compared, load: (typeof LOADS)[number], round: number) {
  if (!server) throw new Error("A peer has a server");
  const name = `${load.name}-${load.requests}-${round}`;
  const shots = load.name === SPANS.name ? await traces(name, load) : batches(name, load);
  await untilIdle(server.pid);
  const before = cpuSeconds(server.pid) ?? 0;
  const number = load.batch * load.requests;
  const rate = number / (await fire(server.address, shots, load.connections));
  await untilIdle(server.pid);
  return { rate, cpu: (((cpuSeconds(server.pid) ?? 0) - before) / number) * 1_000_000 };
}

function traces(name: string, { batch, requests }: { batch: number; requests: number }): Promise<Shot[]> {
  const spans = Array.from({ length: Math.ceil((batch * requests) / 6) }, (_, index) => agentSpans(name, index)).flat();
  return Promise.all(
    Array.from({ length: requests }, async (_, index) => ({
      path: "/v1/traces",
      body: await protobufTraces(exporterRequest(spans.slice(index * batch, (index + 1) * batch))),
      type: "application/x-protobuf",
    })),
  );
}
