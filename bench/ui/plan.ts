import type { Locator, Page } from "@playwright/test";
import { widePlan } from "../../scripts/seed/wide-plan.ts";
import { openPage, takeLongestTask } from "./open-page.ts";
import type { Figure, Subject } from "./subject.ts";

const SIZES = [
  { calls: 1_000, target: "1 s" },
  { calls: 5_000, target: "2 s" },
];
type Box = NonNullable<Awaited<ReturnType<Locator["boundingBox"]>>>;

const PAN_MS = 3_000;
/** The page is still busy after the first calls are drawn. */
const SETTLE_MS = 2_000;

/** Wide plans: the time until they are drawn, and panning. */
export async function measurePlan(subject: Subject, now: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const size of SIZES) figures.push(...(await measure(subject, size, now)));
  return figures;
}

async function measure(
  { browser, seed }: Subject,
  { calls, target }: (typeof SIZES)[number],
  now: number,
): Promise<Figure[]> {
  const address = await seed(widePlan({ seed: 1, size: calls, now }));
  await using opened = await openPage(browser);
  const { page } = opened;
  await page.goto(address, { waitUntil: "commit" });
  const shown = await page.evaluate(async () => {
    while (!document.querySelector(".react-flow__node")) await new Promise(requestAnimationFrame);
    return performance.now();
  });
  const answered = await page.evaluate(() => {
    const [opened] = performance.getEntriesByType("navigation");
    return opened instanceof PerformanceNavigationTiming ? opened.responseStart : 0;
  });
  await page.waitForTimeout(SETTLE_MS);
  const opening = await takeLongestTask(page);
  const pane = await page.locator(".react-flow__pane").boundingBox();
  if (!pane) throw new Error("The graph has no ground to drag");
  // Locating the pane caused a task of Playwright's own scripts.
  await takeLongestTask(page);
  const perSecond = await pan(page, pane);
  const name = `plan of ${calls.toLocaleString("en")} calls`;
  return [
    { what: `${name}: on screen after`, measured: `${(shown / 1_000).toFixed(2)} s`, target },
    {
      what: `${name}: of that, until the server's first byte`,
      measured: `${(answered / 1_000).toFixed(2)} s`,
      target: "–",
    },
    { what: `${name}: longest task while opening`, measured: opening, target: "50 ms" },
    { what: `${name}: panned`, measured: `${perSecond.toFixed(0)} frames/s`, target: "50 frames/s" },
    { what: `${name}: longest task while panning`, measured: await takeLongestTask(page), target: "50 ms" },
  ];
}

/** Drags the graph back and forth; returns frames per second. */
async function pan(page: Page, pane: Box): Promise<number> {
  const frames = page.evaluate(async (lasts) => {
    const started = performance.now();
    let count = 0;
    for (; performance.now() - started < lasts; count += 1) await new Promise(requestAnimationFrame);
    return (count * 1_000) / (performance.now() - started);
  }, PAN_MS);
  const [x, y] = [pane.x + pane.width / 2, pane.y + pane.height / 2];
  const started = performance.now();
  for (let turn = 0; performance.now() - started < PAN_MS; turn += 1) {
    await page.mouse.move(x, y);
    await page.mouse.wheel(turn % 2 === 0 ? 40 : -30, turn % 4 < 2 ? 60 : -60);
  }
  return frames;
}
