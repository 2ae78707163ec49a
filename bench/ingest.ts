import { join } from "node:path";
import type { ServerProcess } from "../scripts/server-process.ts";
import { cpuSeconds } from "./cpu.ts";
import { type PostedEvent, sessionEvents, take } from "./events.ts";
import { countFsyncs } from "./fsyncs.ts";
import { fire, type Shot } from "./load.ts";
import { readRows, writeRaw } from "./raw.ts";
import { count, median, printTable, ratio } from "./table.ts";

/** The events per round, and the number of connections. */
const CASES = [
  { batch: 1, connections: 64, requests: 5_000 },
  { batch: 100, connections: 8, requests: 500 },
  { batch: 1_000, connections: 8, requests: 80 },
];
/** Rounds alternate between all peers; the median counts. */
const ROUNDS = 3;
const WARM_UP = 0.1;
const TRACED_REQUESTS = 1_000;

interface Peers {
  obelus: ServerProcess;
  bare: ServerProcess;
  /** Where the raw peer writes, and Obelus's database. */
  dataDir: string;
  database: string;
}

/** Benchmarks ingest over HTTP against a bare handler, raw better-sqlite3 and an empty route. */
export async function benchIngest(peers: Peers): Promise<void> {
  const rows = [];
  for (const { batch, connections, requests } of CASES) {
    const warmUp = Math.ceil(requests * WARM_UP);
    await measure(peers, { batch, connections, requests: warmUp }, `warm-up-${batch}`);
    const rounds: Awaited<ReturnType<typeof measure>>[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      rounds.push(await measure(peers, { batch, connections, requests }, `ingest-${batch}-${round}`));
    }
    const obelus = median(rounds.map((rates) => rates.obelus));
    const bare = median(rounds.map((rates) => rates.bare));
    const raw = median(rounds.map((rates) => rates.raw));
    const empty = median(rounds.map((rates) => rates.empty));
    const cpu = (of: "cpu" | "bareCpu") => microseconds(rounds.flatMap((rates) => rates[of] ?? []));
    rows.push([
      count(batch),
      count(obelus),
      count(bare),
      ratio(obelus / bare),
      cpu("cpu"),
      cpu("bareCpu"),
      count(raw),
      ratio(obelus / raw),
      // Only single events are compared with an empty request.
      batch === 1 ? count(empty) : "",
      batch === 1 ? ratio(obelus / empty) : "",
    ]);
  }
  printTable(
    "Ingest over HTTP, durable, events/s (batches of 1,000: at least 0.90 × bare, 0.25 × raw; single: 0.50 × bare)",
    [
      "events a request",
      "Obelus",
      "bare node:http",
      "to bare",
      "its CPU",
      "bare's",
      "raw SQLite",
      "to raw",
      "empty route/s",
      "to empty",
    ],
    rows,
  );
  await reportFsyncs(peers.obelus);
}

async function measure(peers: Peers, load: { batch: number; connections: number; requests: number }, name: string) {
  const { batch, connections, requests } = load;
  const shots = batches(name, load);
  const events = batch * requests;
  const cpuBefore = { obelus: cpuSeconds(peers.obelus.pid), bare: cpuSeconds(peers.bare.pid) };
  const obelus = events / (await fire(peers.obelus.address, shots, connections));
  const bare = events / (await fire(peers.bare.address, shots, connections));
  const cpu = cpuOfEach(peers.obelus, cpuBefore.obelus, events);
  const bareCpu = cpuOfEach(peers.bare, cpuBefore.bare, events);
  const raw = events / writeRaw(join(peers.dataDir, `${name}.sqlite`), readRows(peers.database, events), batch);
  const nothing = Array.from({ length: requests }, () => ({ path: "/api/health" }));
  const empty = requests / (await fire(peers.obelus.address, nothing, connections));
  return { obelus, bare, cpu, bareCpu, raw, empty };
}

function cpuOfEach({ pid }: ServerProcess, before: number | null, events: number): number | null {
  const after = cpuSeconds(pid);
  return before === null || after === null ? null : (after - before) / events;
}

/** The minimum, which other load affects least. */
function microseconds(seconds: readonly number[]): string {
  return seconds.length === 0 ? "" : `${Math.round(Math.min(...seconds) * 1_000_000)} µs`;
}

/** Bodies, created before measuring: each connection has its own session. */
export function batches(
  name: string,
  { batch, connections, requests }: { batch: number; connections: number; requests: number },
): Shot[] {
  const sessions = Array.from({ length: connections }, (_, index) => sessionEvents(`${name}-${index}`));
  return Array.from({ length: requests }, (_, index) => {
    const session = sessions[index % connections];
    if (!session) throw new Error("There is a session for each connection");
    const events: PostedEvent[] = take(session, batch);
    return { path: "/api/events", body: JSON.stringify(batch === 1 ? events[0] : events) };
  });
}

async function reportFsyncs(obelus: ServerProcess): Promise<void> {
  const shots = batches("traced", { batch: 1, connections: 64, requests: TRACED_REQUESTS });
  const fsyncs = await countFsyncs(obelus.pid, async () => {
    await fire(obelus.address, shots, 64);
  });
  if (fsyncs === null) console.log("\n  fsyncs: not counted, strace is missing or may not look");
  else
    console.log(
      `\n  ${count(fsyncs)} fsyncs for ${count(TRACED_REQUESTS)} single events over 64 connections (seen by strace, which slows it)`,
    );
}
