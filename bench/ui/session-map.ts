import type { Page } from "@playwright/test";
import { manyRuns } from "../../scripts/seed/many-runs.ts";
import { heapOf, openPage, takeLongestTask } from "./open-page.ts";
import type { Figure, Subject } from "./subject.ts";

const SIZES = [
  { calls: 500, target: "1 s" },
  { calls: 5_000, target: "3 s" },
];
const LEVELS = ["far", "near"] as const;
const PAN_MS = 3_000;
/** The page is still busy after the first calls are drawn. */
const SETTLE_MS = 2_000;

/** The map of sessions with many runs: the time until it is drawn, panning from near and afar, and the heap. */
export async function measureSessionMap(subject: Subject, now: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  await warmUp(subject, now);
  for (const size of SIZES) {
    const address = await subject.seed(manyRuns({ seed: 1, size: size.calls, now }));
    for (const level of LEVELS) figures.push(...(await measure(subject, `${address}&zoom=${level}`, size, level)));
  }
  return figures;
}

/** A server's first page takes 0.7 s longer than all others. */
async function warmUp({ browser, seed }: Subject, now: number): Promise<void> {
  await using opened = await openPage(browser);
  await opened.page.goto(await seed(manyRuns({ seed: 2, size: 20, now })));
}

async function measure(
  { browser }: Subject,
  address: string,
  { calls, target }: (typeof SIZES)[number],
  level: (typeof LEVELS)[number],
): Promise<Figure[]> {
  await using opened = await openPage(browser);
  const { page, cdp } = opened;
  await page.goto(address, { waitUntil: "commit" });
  const shown = await page.evaluate(async () => {
    while (!document.querySelector(".sm-band [data-key]")) await new Promise(requestAnimationFrame);
    return performance.now();
  });
  const made = await page.evaluate(() => {
    const entries = performance
      .getEntriesByType("resource")
      .filter(({ name }) => new URL(name).pathname.endsWith("/map"));
    return Math.max(0, ...entries.map(({ duration }) => duration));
  });
  await page.waitForTimeout(SETTLE_MS);
  const opening = await takeLongestTask(page);
  const perSecond = await pan(page);
  const name = `map of ${calls.toLocaleString("en")} calls, ${level}`;
  return [
    { what: `${name}: on screen after`, measured: `${(shown / 1_000).toFixed(2)} s`, target },
    { what: `${name}: of that, the map's request`, measured: `${made.toFixed(0)} ms`, target: "–" },
    { what: `${name}: longest task while opening`, measured: opening, target: "–" },
    { what: `${name}: panned`, measured: `${perSecond.toFixed(0)} frames/s`, target: "50 frames/s" },
    { what: `${name}: longest task while panning`, measured: await takeLongestTask(page), target: "50 ms" },
    { what: `${name}: heap of the page`, measured: `${(await heapOf(cdp)).toFixed(0)} MB`, target: "150 MB" },
  ];
}

/** Turns the wheel over the map, down and up again; returns frames per second. */
async function pan(page: Page): Promise<number> {
  const pane = await page.locator(".sm-scroll").boundingBox();
  if (!pane) throw new Error("There is no map to pan");
  // Locating the pane caused a task of Playwright's own scripts.
  await takeLongestTask(page);
  const frames = page.evaluate(async (lasts) => {
    const started = performance.now();
    let count = 0;
    for (; performance.now() - started < lasts; count += 1) await new Promise(requestAnimationFrame);
    return (count * 1_000) / (performance.now() - started);
  }, PAN_MS);
  await page.mouse.move(pane.x + pane.width / 2, pane.y + pane.height / 2);
  const started = performance.now();
  for (let turn = 0; performance.now() - started < PAN_MS; turn += 1)
    await page.mouse.wheel(0, turn % 40 < 24 ? 120 : -90);
  return frames;
}
