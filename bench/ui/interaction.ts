import type { Browser, Page } from "@playwright/test";
import { longSession } from "../../scripts/seed/long-session.ts";
import { openPage } from "./open-page.ts";
import { type Figure, type Subject, spread } from "./subject.ts";

const EVENTS = 1_000;
/** How often each is done; the first is not counted, since it loads what the others have. */
const TIMES = 7;
const STEPS = 120;
/** The pointer rests on a row before it is pressed, ms. */
const REST_MS = 400;

/** What a person waits for: the first paint of a page, the studio after a row of the list is pressed, the next step. */
export async function measureInteraction({ server, browser, seed }: Subject, now: number): Promise<Figure[]> {
  const studio = await seed(longSession({ seed: 7, size: EVENTS, now }));
  const list = await firstPaints(browser, server.address);
  const page = await firstPaints(browser, studio);
  const opened = await openFromList(browser, server.address, new URL(studio).pathname);
  const steps = await stepThrough(browser, studio);
  return [
    { what: "first paint of the list, p50 / most", measured: spread(list), target: "300 ms" },
    { what: "first paint of the studio, p50 / most", measured: spread(page), target: "300 ms" },
    { what: "list to studio, p50 / most", measured: spread(opened), target: "400 ms" },
    { what: "step to step by key, p50 / p99", measured: spread(steps), target: "50 ms" },
  ];
}

/** First contentful paints, with a warm cache, ms after the request. */
async function firstPaints(browser: Browser, address: string): Promise<number[]> {
  await using opened = await openPage(browser);
  const { page } = opened;
  const paints: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    await page.goto(address);
    paints.push(
      await page.evaluate(async () => {
        const painted = () => performance.getEntriesByName("first-contentful-paint").at(0)?.startTime;
        while (painted() === undefined) await new Promise(requestAnimationFrame);
        return painted() ?? 0;
      }),
    );
  }
  return paints.slice(1);
}

/** From the press of a row until thread, graph and timeline are drawn, ms. */
async function openFromList(browser: Browser, list: string, path: string): Promise<number[]> {
  await using opened = await openPage(browser);
  const { page } = opened;
  const times: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    await page.goto(list);
    await page.locator("[data-connection=live]").waitFor();
    const link = page.locator(`main a[href="${path}"]`).first();
    await link.hover();
    await page.waitForTimeout(REST_MS);
    await page.evaluate(measureOpening);
    await page.mouse.down();
    await page.mouse.up();
    times.push(await page.evaluate(() => window.measured));
  }
  return times.slice(1);
}

/** Runs in the page. */
function measureOpening(): void {
  const parts = ["main [data-seq]", ".react-flow__node, .sm-card", "[role=slider] canvas"];
  window.measured = new Promise((resolve) => {
    const onPress = ({ timeStamp }: PointerEvent) => {
      const look = () => {
        if (parts.every((part) => document.querySelector(part))) resolve(performance.now() - timeStamp);
        else requestAnimationFrame(look);
      };
      look();
    };
    addEventListener("pointerdown", onPress, { once: true, capture: true });
  });
}

/** From a press of the right arrow until the frame after the one that shows the next step, ms. */
async function stepThrough(browser: Browser, address: string): Promise<number[]> {
  await using opened = await openPage(browser);
  const { page } = opened;
  await page.goto(`${address}?at=1`);
  await page.locator("[role=slider] canvas").waitFor();
  await page.waitForTimeout(REST_MS);
  const times: number[] = [];
  for (let step = 0; step < STEPS; step += 1) times.push(await stepOn(page));
  return times;
}

async function stepOn(page: Page): Promise<number> {
  await page.evaluate(() => {
    const step = () => document.querySelector("[role=slider]")?.getAttribute("aria-valuenow");
    const before = step();
    window.measured = new Promise((resolve) => {
      const onPress = ({ timeStamp }: KeyboardEvent) => {
        const look = () => {
          if (step() !== before) requestAnimationFrame(() => resolve(performance.now() - timeStamp));
          else requestAnimationFrame(look);
        };
        look();
      };
      addEventListener("keydown", onPress, { once: true, capture: true });
    });
  });
  await page.keyboard.press("ArrowRight");
  return page.evaluate(() => window.measured);
}
