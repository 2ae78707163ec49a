import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { DATABASE_FILE } from "../db/sqlite/open.ts";
import { claimBuild } from "../scripts/build.mjs";
import { startServerProcess } from "../scripts/server-process.ts";
import { benchEngine } from "./engine.ts";
import { benchFairness } from "./fairness.ts";
import { benchFork } from "./fork.ts";
import { benchIngest } from "./ingest.ts";
import { benchPrompt } from "./prompt.ts";
import { benchReaders } from "./readers.ts";
import { benchReplicas } from "./replicas.ts";
import { benchRollup } from "./rollup.ts";
import { benchSpans } from "./spans.ts";
import { benchView } from "./view.ts";

// Figures are compared with peers in the same run on the same machine: only ratios are meaningful.
const { values, positionals: request } = parseArgs({
  allowPositionals: true,
  // Parts of `replicas`, or of `rollup`.
  options: { only: { type: "string", multiple: true, default: [] } },
});
process.env.OBELUS_DIST_DIR ??= claimBuild();
const dataDir = await mkdtemp(join(tmpdir(), "obelus-bench-"));
await using started = new AsyncDisposableStack();
started.defer(() => rm(dataDir, { recursive: true, force: true }));

const obelus = await startServerProcess(join(dataDir, "obelus"), { env: { OBELUS_DEMO: "0" } });
started.defer(() => obelus.stop());
const bare = await startServerProcess(join(dataDir, "bare"), { script: "bench/bare.ts" });
started.defer(() => bare.stop());

const database = join(dataDir, "obelus", DATABASE_FILE);
const parts: Record<string, () => Promise<void> | void> = {
  ingest: () => benchIngest({ obelus, bare, dataDir, database }),
  spans: () => benchSpans(obelus, dataDir, database),
  view: async () => {
    await benchView(obelus);
    await benchFork(obelus, "view-100000", 100_000);
  },
  // The rest runs alone.
  engine: () => benchEngine(join(dataDir, "engine")),
  readers: () => benchReaders({ readers: 200, rate: 1_000, seconds: 10, behind: 5, events: 200_000 }),
  fairness: () => benchFairness(),
  prompt: () => benchPrompt(),
  rollup: () => benchRollup(dataDir, values.only),
  replicas: () => benchReplicas(values.only),
};
const SHARED = ["ingest", "spans", "view"];
for (const [name, measure] of Object.entries(parts)) {
  if (request.length > 0 && !request.includes(name)) continue;
  if (!SHARED.includes(name)) await Promise.all([obelus.stop(), bare.stop()]);
  await measure();
}
