import { setTimeout as pause } from "node:timers/promises";
import { listen, post } from "../readers.ts";
import { count, milliseconds, printTable, quantile } from "../table.ts";
import { type BenchPostgres, busyDuring, type Peer, processors } from "./peers.ts";

const READERS = 50;
/** Events per second. */
const RATES = [100, 1_000];
const BATCH = 10;
const SECONDS = 10;
const WARM_UP_S = 3;

/** Benchmarks how long an event takes from its request at one server to those who follow another one. */
export async function benchStreams(peers: readonly Peer[], postgres: BenchPostgres): Promise<void> {
  const rows: string[][] = [];
  for (const rate of RATES)
    for (const peer of peers) {
      const { waits, busy } = await measure(peer, postgres, rate);
      rows.push([
        peer.servers.length === 1 ? `${peer.name}: at the same` : `${peer.name}: at another`,
        count(rate),
        ...[quantile(waits, 0.5), quantile(waits, 0.99), waits.at(-1) ?? Number.NaN].map(milliseconds),
        ...[busy.servers, busy.postgres, busy.clients].map(processors),
      ]);
    }
  printTable(
    `From the request of ${BATCH} events to ${READERS} readers (at another replica: p99 under 150 ms); processors that were busy, of two`,
    ["read", "events/s", "p50", "p99", "at most", "servers", "Postgres", "clients"],
    rows,
  );
}

async function measure(peer: Peer, postgres: BenchPostgres, rate: number) {
  const [first, second = first] = peer.servers;
  if (!first || !second) throw new Error("A peer has a server");
  const warmUp = Math.ceil((rate / BATCH) * WARM_UP_S);
  const batches = Math.ceil((rate / BATCH) * SECONDS);
  const sent = new Float64Array(new SharedArrayBuffer(8 * (warmUp + batches)));
  const live = await listen({ kind: "live", address: second.address, readers: READERS, sent });
  await pause(1_000);
  await post(first.address, sent.subarray(0, warmUp), rate, 0);
  const busy = await busyDuring(peer, postgres, () => post(first.address, sent.subarray(warmUp), rate, warmUp));
  const { waits } = await live.end({ from: warmUp, told: READERS * batches });
  if (waits.length < READERS * batches) throw new Error(`Readers saw ${waits.length} of ${READERS * batches} batches`);
  return { waits: waits.sort((a, b) => a - b), busy };
}
