import { setTimeout as wait } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { longSession } from "../../scripts/seed/long-session.ts";
import { fire, time } from "../load.ts";
import { traceFrames } from "./frames.ts";
import { heapOf, openPage } from "./open-page.ts";
import { memoryOf } from "./start.ts";
import { type Figure, type Subject, spread } from "./subject.ts";

const SIZES = [1_000, 100_000, 1_000_000];
const MOVES = 240;
const ZOOMS = 24;
const WARM_UP = 20;
const VIEWS = 300;
/** Snapshots and parts of the timeline are made behind the writer; they are waited for so long at most. */
const BEHIND_MS = 600_000;
const LOOK_MS = 2_000;
const MEMORY_EVERY_MS = 100;

/** Sessions of a thousand to a million events: opened, viewed at any step, searched, and the playhead dragged through them. */
export async function measureTimeline(subject: Subject, now: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [index, events] of SIZES.entries())
    figures.push(...(await measure(subject, { seed: index + 1, events, now })));
  return figures;
}

async function measure(
  { browser, server, seed }: Subject,
  { seed: number, events, now }: { seed: number; events: number; now: number },
): Promise<Figure[]> {
  const address = await seed(longSession({ seed: number, size: events, now }));
  const name = `session of ${events.toLocaleString("en")}`;
  const path = new URL(address).pathname;
  await untilQuick(server.address, path);
  const memory = watchMemory(server.pid);
  const views = await timeViews(server.address, path, events);
  const searches = await time(
    server.address,
    ["Rotterdam", "pump", "delivered"].map((q) => ({ path: `/api${path}/search?q=${q}&limit=20` })),
  );
  await using opened = await openPage(browser);
  const { page, cdp } = opened;
  const timeline: { ms: number; bytes: number }[] = [];
  const asked = performance.now();
  page.on("requestfinished", async (request) => {
    if (!/\/timeline(\/buckets)?$/.test(new URL(request.url()).pathname)) return;
    const { responseBodySize } = await request.sizes();
    timeline.push({ ms: request.timing().responseEnd, bytes: responseBodySize });
  });
  await page.goto(address);
  await page.getByRole("slider", { name: "Position in the session" }).waitFor();
  const shown = performance.now() - asked;
  const first = {
    ms: Math.max(...timeline.map(({ ms }) => ms)),
    bytes: timeline.reduce((sum, { bytes }) => sum + bytes, 0),
  };
  const whole = await traceFrames(browser, page, () => scrub(page));
  await zoomIn(page);
  const zoomed = await traceFrames(browser, page, () => scrub(page));
  const rows: Figure[] = [
    { what: `${name}: studio on screen, timeline drawn`, measured: `${shown.toFixed(0)} ms`, target: "1 s" },
    {
      what: `${name}: timeline's answers, until the last byte`,
      measured: `${first.ms.toFixed(0)} ms`,
      target: "300 ms",
    },
    { what: `${name}: timeline's answers`, measured: `${(first.bytes / 1_000).toFixed(0)} kB`, target: "1 MB" },
    { what: `${name}: view?at=, p50 / p99`, measured: spread(views), target: "p99 50 ms" },
    { what: `${name}: first hits of a search, p50 / p99`, measured: spread(searches), target: "100 ms" },
  ];
  for (const [where, frames] of [
    ["whole", whole],
    ["zoomed", zoomed],
  ] as const) {
    rows.push(
      {
        what: `${name}: scrubbing ${where}, scripting a frame (CPU), p50 / p99`,
        measured: spread(frames.cpu),
        target: "p99 8 ms",
      },
      {
        what: `${name}: scrubbing ${where}, by the clock, p50 / p99`,
        measured: spread(frames.wall),
        target: "p99 8 ms",
      },
      {
        what: `${name}: scrubbing ${where}`,
        measured: `${frames.perSecond.toFixed(0)} frames/s`,
        target: "60 frames/s",
      },
    );
  }
  const heap = await heapOf(cdp);
  const most = memory.stop();
  return [
    ...rows,
    { what: `${name}: heap afterwards`, measured: `${heap.toFixed(0)} MB`, target: "150 MB" },
    { what: `${name}: memory of the server, at most`, measured: `${most.toFixed(0)} MB`, target: "500 MB" },
  ];
}

/** Waits until what makes views and timelines quick has been made. */
async function untilQuick(server: string, path: string): Promise<void> {
  const until = performance.now() + BEHIND_MS;
  let took = Number.POSITIVE_INFINITY;
  for (let quick = 0; quick < 3 && performance.now() < until; quick = took < 500 ? quick + 1 : 0) {
    const started = performance.now();
    await (await fetch(new URL(`/api${path}/view`, server))).arrayBuffer();
    await (await fetch(new URL(`/api${path}/timeline/buckets`, server))).arrayBuffer();
    took = performance.now() - started;
    await wait(LOOK_MS);
  }
}

/** Looks at a process' memory until it is stopped, which gives the most that it held, in MB. */
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
  // Snapshots are made when views are asked for that lack them.
  await fire(server, Array.from({ length: WARM_UP }, view), 2);
  return time(server, Array.from({ length: VIEWS }, view));
}

async function scrub(page: Page): Promise<void> {
  const box = await page.getByRole("slider", { name: "Position in the session" }).boundingBox();
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
  const box = await page.getByRole("slider", { name: "Position in the session" }).boundingBox();
  if (!box) throw new Error("The timeline is not there");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.keyboard.down("Control");
  for (let zoom = 0; zoom < ZOOMS; zoom += 1) await page.mouse.wheel(0, -100);
  await page.keyboard.up("Control");
}
