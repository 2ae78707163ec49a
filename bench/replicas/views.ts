import { milliseconds, printTable, quantile, ratio } from "../table.ts";
import { timeViews } from "../view.ts";
import { type BenchPostgres, busyDuring, type Peer, processors } from "./peers.ts";

const EVENTS = 100_000;

/** Benchmarks `view?at=` at random steps of a session of 100,000 events. */
export async function benchViews(peers: readonly Peer[], postgres: BenchPostgres): Promise<void> {
  const rows: string[][] = [];
  let first = Number.NaN;
  for (const peer of peers) {
    const [server] = peer.servers;
    if (!server) throw new Error("A peer has a server");
    let times: number[] = [];
    const busy = await busyDuring(peer, postgres, async () => {
      times = await timeViews(server, EVENTS);
    });
    const p99 = quantile(times, 0.99);
    if (peer.url === null) first = p99;
    rows.push([
      peer.name,
      ...[quantile(times, 0.5), p99].map(milliseconds),
      ratio(p99 / first),
      ...[busy.servers, busy.postgres].map(processors),
    ]);
  }
  printTable(
    "view?at= at random steps of 100,000 events, one reader; processors that were busy, of two",
    ["peer", "p50", "p99", "p99 to SQLite", "servers", "Postgres"],
    rows,
  );
}
