import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startServer } from "../../db/postgres/testing/server.ts";
import { type ServerProcess, startServerProcess } from "../../scripts/server-process.ts";
import { openWay, type Way } from "./cut.ts";

/** Any key: the secrets of tests are none. */
export const SECRET = "5e".repeat(32);
/** A replica that does not answer costs the caller no more than this, ms; a stream may be idle for longer. */
const PATIENCE_MS = 20_000;

/** One of several equal servers. */
export interface Replica {
  readonly name: string;
  /** `http://127.0.0.1:41234`; null while it does not run. */
  readonly address: string | null;
  /** Its way to Postgres. */
  readonly way: Way;
  start(): Promise<void>;
  /** Ends it, and waits for that. */
  end(signal: NodeJS.Signals): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  log(): Promise<string>;
}

/** Servers on one Postgres, behind a proxy that gives each request to the next of them. */
export interface Cluster {
  replicas: Replica[];
  /** Of the proxy. */
  address: string;
  restartPostgres(signal: "SIGINT" | "SIGQUIT"): Promise<void>;
  rows<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Holds an advisory lock, until what is given is called. */
  holdLock(key: number): Promise<() => Promise<void>>;
  stop(): Promise<void>;
}

/** Starts so many replicas with this environment, or with one for each, by its number from 0. */
export async function startCluster(
  count: number,
  env: Record<string, string> | ((replica: number) => Record<string, string>),
): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), "obelus-replicas-"));
  const postgres = await startServer();
  const socket = new URL(postgres.url).searchParams.get("host") ?? "";
  const pool = new pg.Pool({ connectionString: postgres.url, max: 2 });
  pool.on("error", () => undefined);
  const replicas: Replica[] = [];
  for (let number = 1; number <= count; number += 1) {
    const way = await openWay(join(socket, ".s.PGSQL.5432"));
    const its = typeof env === "function" ? env(number - 1) : env;
    replicas.push(replicaOf(`replica ${number}`, join(folder, String(number)), way, its));
  }
  // At once: one of them creates the tables.
  await Promise.all(replicas.map((replica) => replica.start()));
  const proxy = await startProxy(replicas);
  return {
    replicas,
    address: proxy.address,
    restartPostgres: (signal) => postgres.restart(signal),
    rows: async (text, values) => (await pool.query(text, values)).rows,
    async holdLock(key) {
      const holder = new pg.Client({ connectionString: postgres.url });
      await holder.connect();
      await holder.query("SELECT pg_advisory_lock($1)", [key]);
      return () => holder.end();
    },
    async stop() {
      proxy.close();
      for (const { way } of replicas) way.heal();
      await Promise.all(
        replicas.map(async (replica) => {
          replica.signal("SIGCONT");
          await replica.end("SIGKILL");
          replica.way.close();
        }),
      );
      await pool.end();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function replicaOf(name: string, dataDir: string, way: Way, env: Record<string, string>): Replica {
  let server: ServerProcess | null = null;
  const log = `${dataDir}.log`;
  return {
    name,
    way,
    get address() {
      return server?.address ?? null;
    },
    async start() {
      server = await startServerProcess(dataDir, {
        log,
        env: {
          ...{ OBELUS_DEMO: "0", OBELUS_PRELOAD_PAGES: "0", OBELUS_LOG_LEVEL: "warn", OBELUS_SECRET: SECRET },
          OBELUS_DATABASE_URL: `postgres://postgres@127.0.0.1:${way.port}/postgres`,
          ...env,
        },
      });
    },
    async end(signal) {
      const ending = server;
      server = null;
      await ending?.stop(signal);
    },
    signal(signal) {
      if (server) process.kill(server.pid, signal);
    },
    log: () => readFile(log, "utf8"),
  };
}

/** Gives each request to the next replica, and to another one if that cannot be reached. */
async function startProxy(replicas: readonly Replica[]): Promise<{ address: string; close(): void }> {
  let turn = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      turn += 1;
      const order = replicas.map((_, index) => replicas[(turn + index) % replicas.length]?.address ?? null);
      pass(
        request,
        Buffer.concat(chunks),
        response,
        order.filter((address) => address !== null),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function pass(request: IncomingMessage, body: Buffer, response: ServerResponse, [to, ...others]: string[]): void {
  if (to === undefined) return void response.writeHead(502).end();
  const headers = { ...request.headers, host: new URL(to).host };
  const asked = forward(`${to}${request.url}`, { method: request.method ?? "GET", headers, agent: false }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
    answer.on("error", () => response.destroy());
    answer.on("close", () => response.end());
  });
  const isStream = request.url?.startsWith("/api/stream") ?? false;
  asked.setTimeout(isStream ? 2 * PATIENCE_MS : PATIENCE_MS, () => asked.destroy(new Error("timeout")));
  response.on("close", () => asked.destroy());
  asked.on("error", (error) => {
    if (response.headersSent || response.destroyed) return void response.destroy();
    // Only what was certainly not sent may be sent to another.
    if ("code" in error && error.code === "ECONNREFUSED") return pass(request, body, response, others);
    response.writeHead(504).end();
  });
  asked.end(body);
}
