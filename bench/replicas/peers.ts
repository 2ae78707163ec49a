import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openDatabase } from "../../db/postgres/database.ts";
import { TEMPLATE, urlOf } from "../../db/postgres/testing/databases.ts";
import { startPreparedServer } from "../../db/postgres/testing/prepared-server.ts";
import { type ServerProcess, startServerProcess } from "../../scripts/server-process.ts";
import { cpuSeconds, cpuSecondsOfFamily } from "../cpu.ts";

/** Any key: there are no secrets. */
const SECRET = "5e".repeat(32);

/** A Postgres that syncs its commits to disk, with its standard settings otherwise. */
export interface BenchPostgres {
  /** The address of a new database with all tables, and nothing in them. */
  database(): Promise<string>;
  cpuSeconds(): number | null;
  stop(): Promise<void>;
}

/** What is measured: a server on SQLite, or replicas on Postgres. */
export interface Peer {
  name: string;
  servers: ServerProcess[];
  /** Of their shared database; null on SQLite. */
  url: string | null;
  stop(): Promise<void>;
}

/** How many processors each side kept busy. */
export interface Busy {
  seconds: number;
  servers: number;
  postgres: number;
  clients: number;
}

export async function startPostgres(): Promise<BenchPostgres> {
  const server = await startPreparedServer({ durable: true });
  const folder = new URL(server.url).searchParams.get("host") ?? "";
  const pid = Number.parseInt(readFileSync(join(folder, "data", "postmaster.pid"), "utf8"), 10);
  const main = openDatabase(server.url, () => undefined, 1);
  let count = 0;
  return {
    async database() {
      count += 1;
      await main.run(`CREATE DATABASE bench_${count} TEMPLATE ${TEMPLATE}`);
      return urlOf(server.url, `bench_${count}`);
    },
    cpuSeconds: () => cpuSecondsOfFamily(pid),
    async stop() {
      await main.close();
      await server.stop();
    },
  };
}

export async function startSqlite(dataDir: string): Promise<Peer> {
  const server = await startServerProcess(join(dataDir, "sqlite"), { env: { OBELUS_DEMO: "0" } });
  return { name: "SQLite", servers: [server], url: null, stop: () => server.stop() };
}

/** Starts so many replicas on a database of their own. */
export async function startReplicas(
  { postgres, dataDir, env = {} }: { postgres: BenchPostgres; dataDir: string; env?: Record<string, string> },
  count: number,
): Promise<Peer> {
  const url = await postgres.database();
  const start = (number: number) => startReplica(url, join(dataDir, `${count}-${number}`), env);
  const servers = await Promise.all(Array.from({ length: count }, (_, index) => start(index + 1)));
  return {
    name: count === 1 ? "1 replica" : `${count} replicas`,
    servers,
    url,
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

export function startReplica(url: string, dataDir: string, env: Record<string, string> = {}): Promise<ServerProcess> {
  return startServerProcess(dataDir, {
    env: { OBELUS_DEMO: "0", OBELUS_DATABASE_URL: url, OBELUS_SECRET: SECRET, ...env },
  });
}

/** Does something, and tells what it kept busy. */
export async function busyDuring(
  { servers }: Pick<Peer, "servers">,
  postgres: BenchPostgres,
  work: () => Promise<unknown>,
): Promise<Busy> {
  const used = () => ({
    servers: servers.reduce((sum, { pid }) => sum + (cpuSeconds(pid) ?? 0), 0),
    postgres: postgres.cpuSeconds() ?? 0,
    clients: (process.cpuUsage().user + process.cpuUsage().system) / 1_000_000,
  });
  const before = used();
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1_000;
  const after = used();
  return {
    seconds,
    servers: (after.servers - before.servers) / seconds,
    postgres: (after.postgres - before.postgres) / seconds,
    clients: (after.clients - before.clients) / seconds,
  };
}

/** Waits until the search has read the log: it would take a part of the next measurement. */
export async function untilSearched({ servers }: Pick<Peer, "servers">): Promise<void> {
  for (;;) {
    const metrics = await (await fetch(`${servers[0]?.address}/api/metrics`)).text();
    if (/^obelus_search_behind_events\S* 0$/m.test(metrics)) return;
    await pause(100);
  }
}

/** `1.32`, of two processors. */
export function processors(value: number): string {
  return value.toFixed(2);
}
