import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { benchBatches, benchSingle } from "./replicas/ingest.ts";
import { type Peer, startPostgres, startReplicas, startSqlite } from "./replicas/peers.ts";
import { benchRuns } from "./replicas/runs.ts";
import { benchStreams } from "./replicas/streams.ts";
import { benchTakeOver } from "./replicas/take-over.ts";
import { benchViews } from "./replicas/views.ts";

const PARTS = ["batches", "single", "streams", "runs", "take-over", "views"] as const;

/** Benchmarks replicas on Postgres beside SQLite and Postgres alone: all parts, or those that are named. */
export async function benchReplicas(only: readonly string[]): Promise<void> {
  const unknown = only.find((name) => !PARTS.some((part) => part === name));
  if (unknown !== undefined) throw new Error(`There is no part ${unknown}; there are ${PARTS.join(", ")}`);
  for (const part of PARTS) if (only.length === 0 || only.includes(part)) await benchPart(part);
}

/** Each part has a Postgres and servers of its own, so that none is slower for what others stored. */
async function benchPart(part: (typeof PARTS)[number]): Promise<void> {
  await using started = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), "obelus-replicas-"));
  started.defer(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = await startPostgres();
  started.defer(() => postgres.stop());
  async function peers(...counts: number[]): Promise<Peer[]> {
    const all = [await startSqlite(dataDir)];
    for (const count of counts) all.push(await startReplicas({ postgres, dataDir }, count));
    for (const peer of all) started.defer(() => peer.stop());
    return all;
  }
  switch (part) {
    case "batches":
      return await benchBatches(await peers(1, 2, 3), postgres);
    case "single":
      return await benchSingle(await peers(1, 2, 3), postgres);
    case "streams":
      return await benchStreams(await peers(1, 2), postgres);
    case "runs":
      return await benchRuns(postgres, dataDir);
    case "take-over":
      return await benchTakeOver(postgres, dataDir);
    case "views":
      return await benchViews(await peers(1), postgres);
    default:
      part satisfies never;
  }
}
