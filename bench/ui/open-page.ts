import type { Browser, CDPSession, Page } from "@playwright/test";

/** A page in its own context, with empty caches. */
export interface OpenPage {
  page: Page;
  cdp: CDPSession;
  [Symbol.asyncDispose](): Promise<void>;
}

declare global {
  interface Window {
    /** Long tasks over 50 ms, since the page's start or the last `takeLongTasks`. */
    longTasks: number[];
    /** What is being measured of the next press, ms; it begins before the press, which could come first otherwise. */
    measured: Promise<number>;
  }
}

/** A slow page is not a failure: its figure is needed. */
const LONGEST_WAIT_MS = 120_000;

/** Opens an empty page that records long tasks. */
export async function openPage(browser: Browser): Promise<OpenPage> {
  const context = await browser.newContext({ locale: "en-GB", viewport: { width: 1440, height: 900 } });
  await context.addInitScript(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => {
      window.longTasks.push(...list.getEntries().map(({ duration }) => duration));
    }).observe({ type: "longtask", buffered: true });
  });
  const page = await context.newPage();
  page.setDefaultTimeout(LONGEST_WAIT_MS);
  const cdp = await context.newCDPSession(page);
  return { page, cdp, [Symbol.asyncDispose]: () => context.close() };
}

/** The longest task so far, as a table cell; tasks up to 50 ms are not reported. */
export async function takeLongestTask(page: Page): Promise<string> {
  const tasks = await page.evaluate(() => window.longTasks.splice(0));
  return tasks.length === 0 ? "under 50 ms" : `${Math.max(...tasks).toFixed(0)} ms`;
}

/** The JavaScript heap in MB, after a collection. */
export async function heapOf(cdp: CDPSession): Promise<number> {
  await cdp.send("HeapProfiler.collectGarbage");
  const { usedSize } = await cdp.send("Runtime.getHeapUsage");
  return usedSize / 1_000_000;
}
