import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { type Database, openDatabase } from "../../db/postgres/database.ts";
import { printTable, quantile } from "../table.ts";
import { type BenchPostgres, startReplica } from "./peers.ts";

const REPLICAS = 3;
const KILLS = 8;

const started = z.object({ run_id: z.string() });

/** Kills the replica that carries a run on, again and again, and measures until another one repeats the call. */
export async function benchTakeOver(postgres: BenchPostgres, dataDir: string): Promise<void> {
  let asked: (response: ServerResponse) => void = () => undefined;
  const tools = createServer(async (request, response) => {
    await text(request);
    asked(response);
  }).listen(0, "127.0.0.1");
  await once(tools, "listening");
  const host = `127.0.0.1:${(tools.address() as AddressInfo).port}`;
  const nextCall = () => {
    const { promise, resolve } = Promise.withResolvers<ServerResponse>();
    asked = resolve;
    return promise;
  };
  const url = await postgres.database();
  const database = openDatabase(url, () => undefined, 1);
  const start = (number: number) =>
    startReplica(url, join(dataDir, `killed-${number}`), { OBELUS_HTTP_TOOL_HOSTS: host });
  const replicas = await Promise.all(Array.from({ length: REPLICAS }, (_, number) => start(number)));
  const plan = [{ _tool: "read", _id: "r" }];
  const activity = { type: "http", url: `http://${host}/read`, method: "GET", idempotent: true, timeout_ms: 60_000 };
  const body = JSON.stringify({ plan, tools: [{ name: "read", schema: { type: "object" }, activity }] });
  const seconds: number[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const victim = replicas[kill % REPLICAS];
    if (!victim) throw new Error("There is a replica for each number");
    const first = nextCall();
    // The replica that starts a run carries it on: it fetches its own jobs first.
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${victim.address}/api/plans/run`, { method: "POST", headers, body });
    const { run_id } = started.parse(await answer.json());
    (await first).on("error", () => undefined);
    const again = nextCall();
    const killed = performance.now();
    await victim.stop("SIGKILL");
    const response = await again;
    seconds.push((performance.now() - killed) / 1_000);
    response.setHeader("content-type", "application/json").end("{}");
    await ended(database, run_id);
    replicas[kill % REPLICAS] = await start(kill % REPLICAS);
  }
  await database.close();
  await Promise.all(replicas.map((replica) => replica.stop()));
  tools.closeAllConnections();
  tools.close();
  seconds.sort((a, b) => a - b);
  const figure = (value: number) => `${value.toFixed(1)} s`;
  printTable(
    "From kill -9 of a replica to the repeated call of its run at another one (under 20 s)",
    ["kills", "least", "p50", "at most"],
    [[String(KILLS), ...[seconds[0] ?? Number.NaN, quantile(seconds, 0.5), seconds.at(-1) ?? Number.NaN].map(figure)]],
  );
}

/** Waits until a run has ended. */
async function ended(database: Database, runId: string): Promise<void> {
  const END = "SELECT 1 FROM events WHERE run_id = $1 AND type = 'run.finished'";
  while ((await database.rows(END, [runId])).length === 0) await pause(50);
}
