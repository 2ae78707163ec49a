import { openDatabase } from "../../db/postgres/database.ts";
import { sessionEvents, take } from "../events.ts";
import { fire, type Shot } from "../load.ts";
import { count, median, printTable, ratio } from "../table.ts";
import { type BenchPostgres, type Busy, busyDuring, type Peer, processors, untilSearched } from "./peers.ts";
import { readBatches, writeRaw } from "./raw-postgres.ts";

const BATCHES = { batch: 1_000, connections: 8, requests: 30 };
const SINGLE = { batch: 1, connections: 64, requests: 4_000 };
/** Connections that store raw rows at the same time. */
const RAW_CONNECTIONS = [1, 4];
/** Rounds alternate between all that is compared; the median counts. */
const ROUNDS = 3;
/** What each server gets before, in rounds: three replicas share a round, and code that has run less is not compiled yet. */
const WARM_UP = 1;

type Load = typeof BATCHES;

/** What is measured in a round. */
interface Compared {
  name: string;
  run(round: number): Promise<Measured>;
}

interface Measured {
  rate: number;
  busy: Busy;
}

/** Benchmarks batches of 1,000 events through replicas, beside SQLite and the same rows stored without a server. */
export async function benchBatches(peers: readonly Peer[], postgres: BenchPostgres): Promise<void> {
  const servers = await warmedUp(peers, postgres, BATCHES, "batches");
  const url = peers.find((peer) => peer.url !== null)?.url ?? "";
  const rows = await readBatches(url, BATCHES.batch * BATCHES.requests, BATCHES.batch);
  const alone = RAW_CONNECTIONS.map((connections) => withoutServer(postgres, rows, connections));
  const measured = await measure([...servers, ...alone]);
  const [rates, raw] = [measured.slice(0, peers.length), measured.slice(peers.length)];
  const [one, several] = raw;
  printTable(
    "Ingest in batches of 1,000 over HTTP, durable (at least 0.35 × raw); processors that were busy, of two",
    ["peer", "events/s", "to raw", "to raw, 4 connections", "to SQLite", "servers", "Postgres", "clients"],
    [
      ...rates.map(({ name, rate, busy }) => [
        name,
        count(rate),
        name === "SQLite" ? "" : ratio(rate / (one?.rate ?? Number.NaN)),
        name === "SQLite" ? "" : ratio(rate / (several?.rate ?? Number.NaN)),
        ratio(rate / (rates[0]?.rate ?? Number.NaN)),
        ...shares(busy),
      ]),
      ...raw.map(({ name, rate, busy }) => [name, count(rate), "", "", "", ...shares(busy)]),
    ],
  );
  console.log(
    `\n  Postgres keeps an event in ${count(await bytesPerEvent(url))} bytes, with its indexes and the search's`,
  );
}

/** The size of a database, for each event in it. */
async function bytesPerEvent(url: string): Promise<number> {
  const database = openDatabase(url, () => undefined, 1);
  const SIZE = "SELECT pg_database_size(current_database()) / count(*) AS bytes FROM events";
  const [size] = await database.rows<{ bytes: number }>(SIZE);
  await database.close();
  return size?.bytes ?? Number.NaN;
}

/** Benchmarks single events over 64 connections. */
export async function benchSingle(peers: readonly Peer[], postgres: BenchPostgres): Promise<void> {
  const rates = await measure(await warmedUp(peers, postgres, SINGLE, "single"));
  printTable(
    "Single events over 64 connections, durable; processors that were busy, of two",
    ["peer", "events/s", "to SQLite", "servers", "Postgres", "clients"],
    rates.map(({ name, rate, busy }) => [
      name,
      count(rate),
      ratio(rate / (rates[0]?.rate ?? Number.NaN)),
      ...shares(busy),
    ]),
  );
}

async function warmedUp(peers: readonly Peer[], postgres: BenchPostgres, load: Load, name: string) {
  for (const peer of peers) {
    const requests = load.requests * WARM_UP * peer.servers.length;
    await round(peer, postgres, { ...load, requests }, `${name}-warm-up`);
  }
  return peers.map(
    (peer): Compared => ({
      name: peer.name,
      run: (number) => round(peer, postgres, load, `${name}-${number}`),
    }),
  );
}

function withoutServer(
  postgres: BenchPostgres,
  rows: Awaited<ReturnType<typeof readBatches>>,
  connections: number,
): Compared {
  return {
    name: `raw INSERT … SELECT FROM unnest, ${connections === 1 ? "1 connection" : `${connections} connections`}`,
    async run() {
      const database = await postgres.database();
      let seconds = 0;
      const busy = await busyDuring({ servers: [] }, postgres, async () => {
        seconds = await writeRaw(database, rows, connections);
      });
      return { rate: (BATCHES.batch * BATCHES.requests) / seconds, busy };
    },
  };
}

async function measure(all: readonly Compared[]) {
  const rounds = new Map(all.map((one) => [one, [] as Measured[]]));
  for (let number = 1; number <= ROUNDS; number += 1)
    for (const [one, done] of rounds) done.push(await one.run(number));
  return [...rounds].map(([{ name }, done]) => ({ name, ...middle(done) }));
}

async function round(peer: Peer, postgres: BenchPostgres, load: Load, name: string): Promise<Measured> {
  const shots = bodies(name, load);
  const addresses = peer.servers.map(({ address }) => address);
  const busy = await busyDuring(peer, postgres, () => fire(addresses, shots, load.connections));
  await untilSearched(peer);
  return { rate: (load.batch * load.requests) / busy.seconds, busy };
}

/** The round with the middle rate. */
function middle(rounds: readonly Measured[]): Measured {
  const rate = median(rounds.map((one) => one.rate));
  const found = rounds.find((one) => one.rate === rate);
  if (!found) throw new Error("The median is one of the rates");
  return found;
}

/** Bodies, created before measuring: each connection has its own session. */
function bodies(name: string, { batch, connections, requests }: Load): Shot[] {
  const sessions = Array.from({ length: connections }, (_, index) => sessionEvents(`${name}-${index}`));
  return Array.from({ length: requests }, (_, index) => {
    const session = sessions[index % connections];
    if (!session) throw new Error("There is a session for each connection");
    const events = take(session, batch);
    return { path: "/api/events", body: JSON.stringify(batch === 1 ? events[0] : events) };
  });
}

function shares({ servers, postgres, clients }: Busy): string[] {
  return [servers, postgres, clients].map(processors);
}
