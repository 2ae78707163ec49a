import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import type { Browser, Page } from "@playwright/test";
import { longSession } from "../../scripts/seed/long-session.ts";
import { postEvents } from "../../scripts/seed/post.ts";
import { type ServerProcess, startServerProcess } from "../../scripts/server-process.ts";
import { fire, time } from "../load.ts";
import { type Frames, traceFrames } from "./frames.ts";
import { heapOf, openPage, takeLongestTask } from "./open-page.ts";
import { memoryOf } from "./start.ts";
import { type Figure, type Subject, spread } from "./subject.ts";

const SIZES = [1_000, 1_000_000];
/** How often the page is opened; the minimum counts, which other load affects least. */
const OPENINGS = 5;
const MOVES = 240;
const ZOOMS = 24;
const WARM_UP = 20;
const VIEWS = 300;
/** The timeout for snapshots, timeline chunks and the search index, which are created in the background. */
const BEHIND_MS = 1_200_000;
const LOOK_MS = 3_000;
const SETTLE_MS = 2_000;
const MEMORY_EVERY_MS = 100;

/**
 * Sessions of a thousand and of a million events: opening, views at any step, search, and dragging the playhead. Each
 * has its own server, on the data directory of `--data` if given: existing sessions are reused.
 */
export async function measureTimeline({ browser, keptData }: Subject, now: number): Promise<Figure[]> {
  const dataDir = keptData ?? (await mkdtemp(join(tmpdir(), "obelus-bench-timeline-")));
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await using used = new AsyncDisposableStack();
  if (keptData === null) used.defer(() => rm(dataDir, { recursive: true, force: true }));
  const columns: Figure[][] = [];
  await onServer(dataDir, (server) => seed(server, now));
  for (const [index, events] of SIZES.entries())
    columns.push(await onServer(dataDir, (server) => measure({ browser, server, path: pathOf(index), events })));
  const sizes = SIZES.map((events) => events.toLocaleString("en")).join(" | ");
  return [
    { what: "events in the session", measured: sizes, target: "–" },
    ...(columns[0] ?? []).map(({ what, target }, row) => ({
      what,
      measured: columns.map((column) => column[row]?.measured ?? "–").join(" | "),
      target,
    })),
  ];
}

async function onServer<Value>(dataDir: string, use: (server: ServerProcess) => Promise<Value>): Promise<Value> {
  const server = await startServerProcess(dataDir, { env: { OBELUS_DEMO: "0" } });
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
}

function pathOf(index: number): string {
  return `/conversations/seed-long-session-${index + 1}`;
}

async function seed(server: ServerProcess, now: number): Promise<void> {
  for (const [index, size] of SIZES.entries()) {
    const known = await fetch(new URL(`/api${pathOf(index)}/view?at=${size}`, server.address));
    await known.arrayBuffer();
    if (!known.ok) await postEvents(server.address, longSession({ seed: index + 1, size, now }).events);
  }
  await untilIdle(server.pid);
}

/** Waits until the background work is done and the process is idle. */
async function untilIdle(pid: number): Promise<void> {
  const until = performance.now() + BEHIND_MS;
  for (let used = -1; performance.now() < until; ) {
    const now = await processorSeconds(pid);
    if (now - used <= 0) return;
    used = now;
    await wait(LOOK_MS);
  }
}

async function processorSeconds(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "cputimes=", "-p", String(pid)]);
  return Number(stdout);
}

interface Session {
  browser: Browser;
  server: ServerProcess;
  path: string;
  events: number;
}

async function measure({ browser, server, path, events }: Session): Promise<Figure[]> {
  const address = new URL(path, server.address).href;
  const memory = watchMemory(server.pid);
  const cold = await open(browser, address);
  const openings = [cold];
  for (let opening = 1; opening < OPENINGS; opening += 1) openings.push(await open(browser, address));
  const fewest = (of: (opening: Opening) => number) => Math.min(...openings.map(of));
  const { whole, zoomed, heap } = await scrubThrough(browser, address);
  const views = await timeViews(server.address, path, events);
  const api = (rest: string) => ({ path: `/api${path}/${rest}` });
  const searches = await time(
    server.address,
    ["Rotterdam", "pump", "delivered"].map((q) => api(`search?q=${q}&limit=20`)),
  );
  const rest = await time(server.address, [
    api("bookmarks"),
    api("inferred-edges"),
    api("events?type=call.failed&limit=20"),
    api("timeline/next?at=0&unit=error&direction=next"),
  ]);
  const most = memory.stop();
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  return [
    {
      what: `studio on screen, timeline drawn: first / best of ${OPENINGS}`,
      measured: `${ms(cold.shown)} / ${ms(fewest(({ shown }) => shown))}`,
      target: "1 s",
    },
    {
      what: "of that, until the server's first byte",
      measured: `${ms(cold.answered)} / ${ms(fewest(({ answered }) => answered))}`,
      target: "–",
    },
    {
      what: "timeline's first picture, until the last byte",
      measured: `${ms(cold.timeline.ms)} / ${ms(fewest(({ timeline }) => timeline.ms))}`,
      target: "300 ms",
    },
    {
      what: "its bytes, as they are sent",
      measured: `${(cold.timeline.bytes / 1_000).toFixed(0)} kB`,
      target: "1 MB",
    },
    { what: "longest task of the page while opening", measured: cold.longest, target: "–" },
    { what: "view?at=, p50 / p99", measured: spread(views), target: "p99 50 ms" },
    { what: "first hits of a search, p50 / p99", measured: spread(searches), target: "100 ms" },
    { what: "bookmarks, edges, a rare type, an error: p50 / p99", measured: spread(rest), target: "–" },
    ...scrubbed("whole", whole),
    ...scrubbed("zoomed", zoomed),
    { what: "heap of the page afterwards", measured: `${heap.toFixed(0)} MB`, target: "150 MB" },
    { what: "memory of the server, at most", measured: `${most.toFixed(0)} MB`, target: "500 MB" },
  ];
}

function scrubbed(where: string, frames: Frames): Figure[] {
  return [
    { what: `scrubbing ${where}: scripting a frame, p50 / p99`, measured: spread(frames.cpu), target: "p99 8 ms" },
    { what: `scrubbing ${where}: the same by the clock`, measured: spread(frames.wall), target: "–" },
    {
      what: `scrubbing ${where}, without a graphics card`,
      measured: `${frames.perSecond.toFixed(0)} frames/s`,
      target: "60 frames/s",
    },
  ];
}

/** The timing of a page load, ms after the request. */
interface Opening {
  shown: number;
  answered: number;
  /** The data that the timeline draws first: the time of its requests, and their bytes. */
  timeline: { ms: number; bytes: number };
  longest: string;
}

async function open(browser: Browser, address: string): Promise<Opening> {
  await using opened = await openPage(browser);
  const { page } = opened;
  await page.goto(address, { waitUntil: "commit" });
  return { ...(await page.evaluate(untilDrawn)), longest: await takeLongestTask(page) };
}

/** Runs in the page. */
async function untilDrawn(): Promise<Omit<Opening, "longest">> {
  while (!document.querySelector("[role=slider] canvas")) await new Promise(requestAnimationFrame);
  const shown = performance.now();
  const [page] = performance.getEntriesByType("navigation");
  const parts = performance
    .getEntriesByType("resource")
    .filter((entry) => entry instanceof PerformanceResourceTiming)
    .filter(({ name }) => /\/timeline(\/buckets)?$/.test(new URL(name).pathname));
  return {
    shown,
    answered: page instanceof PerformanceNavigationTiming ? page.responseStart : 0,
    timeline: {
      ms: Math.max(...parts.map(({ startTime, responseEnd }) => responseEnd - startTime)),
      bytes: parts.reduce((sum, { transferSize }) => sum + transferSize, 0),
    },
  };
}

async function scrubThrough(
  browser: Browser,
  address: string,
): Promise<{ whole: Frames; zoomed: Frames; heap: number }> {
  await using opened = await openPage(browser);
  const { page, cdp } = opened;
  await page.goto(address);
  await page.getByRole("slider", { name: "Position in the conversation" }).waitFor();
  // Work after loading is not included.
  await page.waitForTimeout(SETTLE_MS);
  const whole = await traceFrames(browser, page, () => scrub(page));
  await zoomIn(page);
  const zoomed = await traceFrames(browser, page, () => scrub(page));
  return { whole, zoomed, heap: await heapOf(cdp) };
}

/** Samples a process's memory until stopped; returns the maximum, in MB. */
function watchMemory(pid: number): { stop(): number } {
  let most = 0;
  const timer = setInterval(() => void memoryOf(pid).then((now) => (most = Math.max(most, now))), MEMORY_EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      return most;
    },
  };
}

async function timeViews(server: string, path: string, events: number): Promise<number[]> {
  const view = () => ({ path: `/api${path}/view?at=${Math.floor(Math.random() * (events + 1))}` });
  await fire(server, Array.from({ length: WARM_UP }, view), 2);
  return time(server, Array.from({ length: VIEWS }, view));
}

async function scrub(page: Page): Promise<void> {
  const box = await page.getByRole("slider", { name: "Position in the conversation" }).boundingBox();
  if (!box) throw new Error("The timeline is not there");
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + 4, y);
  await page.mouse.down();
  for (let move = 0; move <= MOVES; move += 1) {
    const share = move <= MOVES / 2 ? (2 * move) / MOVES : 2 - (2 * move) / MOVES;
    await page.mouse.move(box.x + 4 + (box.width - 8) * share, y);
  }
  await page.mouse.up();
}

async function zoomIn(page: Page): Promise<void> {
  const box = await page.getByRole("slider", { name: "Position in the conversation" }).boundingBox();
  if (!box) throw new Error("The timeline is not there");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.keyboard.down("Control");
  for (let zoom = 0; zoom < ZOOMS; zoom += 1) await page.mouse.wheel(0, -100);
  await page.keyboard.up("Control");
}
