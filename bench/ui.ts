import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";
import { claimBuild } from "../scripts/build.mjs";
import { findChromium } from "../scripts/chromium.mjs";
import { postEvents } from "../scripts/seed/post.ts";
import { startServerProcess } from "../scripts/server-process.ts";
import { printTable } from "./table.ts";
import { measureEdit } from "./ui/edit.ts";
import { measureInteraction } from "./ui/interaction.ts";
import { measureList } from "./ui/list.ts";
import { measurePlan } from "./ui/plan.ts";
import { measureSessionMap } from "./ui/session-map.ts";
import { measureStart } from "./ui/start.ts";
import { measureStream } from "./ui/stream.ts";
import type { Figure, Subject } from "./ui/subject.ts";
import { measureTimeline } from "./ui/timeline.ts";
import { measureWeight } from "./ui/weight.ts";

// The console's targets, measured in Chromium on seeded data. Figures depend on the machine and its load.
const MEASURES: Readonly<Record<string, (subject: Subject, now: number) => Promise<Figure[]>>> = {
  start: measureStart,
  weight: measureWeight,
  plan: measurePlan,
  map: measureSessionMap,
  edit: measureEdit,
  interaction: measureInteraction,
  stream: measureStream,
  timeline: measureTimeline,
  list: measureList,
};

const { only = Object.keys(MEASURES), data } = parseArgs({
  options: { only: { type: "string", multiple: true }, data: { type: "string" } },
}).values;
const unknown = only.find((name) => !Object.hasOwn(MEASURES, name));
if (unknown !== undefined) {
  console.error(`There is nothing to measure by the name "${unknown}"; take of ${Object.keys(MEASURES).join(", ")}`);
  process.exit(1);
}

process.env.OBELUS_DIST_DIR ??= claimBuild();
const dataDir = await mkdtemp(join(tmpdir(), "obelus-bench-ui-"));
await using started = new AsyncDisposableStack();
started.defer(() => rm(dataDir, { recursive: true, force: true }));
const server = await startServerProcess(dataDir, { env: { OBELUS_DEMO: "0" } });
started.defer(() => server.stop());
const browser = await chromium.launch({ executablePath: findChromium(), args: ["--disable-gpu"] });
started.defer(() => browser.close());

const subject: Subject = {
  server,
  browser,
  keptData: data === undefined ? null : resolve(data),
  async seed({ events, open }) {
    await postEvents(server.address, events);
    return new URL(open[0]?.path ?? "/", server.address).href;
  },
};

const figures: Figure[] = [];
const now = Date.now();
for (const [name, measure] of Object.entries(MEASURES)) {
  if (!only.includes(name)) continue;
  console.log(`Measuring ${name} …`);
  try {
    figures.push(...(await measure(subject, now)));
  } catch (error) {
    // The other figures are still useful.
    console.error(error);
    process.exitCode = 1;
  }
}
printTable(
  "the console in Chromium",
  ["what", "measured", "target"],
  figures.map(({ what, measured, target }) => [what, measured, target]),
);
const load = loadavg().map((value) => value.toFixed(1));
console.log(`\n  ${availableParallelism()} cores; load over 1, 5 and 15 minutes: ${load.join(", ")}`);
