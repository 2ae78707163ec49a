import type { Page } from "@playwright/test";
import { longSession } from "../../scripts/seed/long-session.ts";
import { fire, time } from "../load.ts";
import { traceFrames } from "./frames.ts";
import { heapOf, openPage } from "./open-page.ts";
import { type Figure, type Subject, spread } from "./subject.ts";

const EVENTS = 100_000;
const MOVES = 240;
const ZOOMS = 24;
const WARM_UP = 20;
const VIEWS = 300;

/** A session of 100,000 events: views of any step, and the playhead dragged through all of it and through a window. */
export async function measureTimeline({ browser, server, seed }: Subject, now: number): Promise<Figure[]> {
  const address = await seed(longSession({ seed: 1, size: EVENTS, now }));
  const name = `session of ${EVENTS.toLocaleString("en")}`;
  const views = await timeViews(server.address, new URL(address).pathname);
  await using opened = await openPage(browser);
  const { page, cdp } = opened;
  await page.goto(address);
  await page.getByRole("slider", { name: "Position in the session" }).waitFor();
  const whole = await traceFrames(browser, page, () => scrub(page));
  await zoomIn(page);
  const zoomed = await traceFrames(browser, page, () => scrub(page));
  const rows: Figure[] = [{ what: `${name}: view?at=, p50 / p99`, measured: spread(views), target: "p99 50 ms" }];
  for (const [where, frames] of [
    ["whole", whole],
    ["zoomed", zoomed],
  ] as const) {
    rows.push(
      {
        what: `${name}: scrubbing ${where}, scripting a frame (CPU), p50 / p99`,
        measured: spread(frames.cpu),
        target: "16 ms",
      },
      { what: `${name}: scrubbing ${where}, by the clock, p50 / p99`, measured: spread(frames.wall), target: "16 ms" },
      { what: `${name}: scrubbing ${where}`, measured: `${frames.perSecond.toFixed(0)} frames/s`, target: "–" },
    );
  }
  const heap = await heapOf(cdp);
  return [...rows, { what: `${name}: heap afterwards`, measured: `${heap.toFixed(0)} MB`, target: "300 MB" }];
}

async function timeViews(server: string, path: string): Promise<number[]> {
  const view = () => ({ path: `/api${path}/view?at=${Math.floor(Math.random() * (EVENTS + 1))}` });
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
