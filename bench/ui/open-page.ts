import type { Browser, CDPSession, Page } from "@playwright/test";

/** A page in a context of its own, so that nothing is in its cache. */
export interface OpenPage {
  page: Page;
  cdp: CDPSession;
  [Symbol.asyncDispose](): Promise<void>;
}

declare global {
  interface Window {
    /** Tasks of the main thread over 50 ms, since the page began or `takeLongTasks`. */
    longTasks: number[];
  }
}

/** A page that takes longer is slow, not broken: the figure is wanted. */
const LONGEST_WAIT_MS = 120_000;

/** Opens an empty page that keeps its long tasks. */
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

/** The longest task of the main thread so far, as the table has it; what is not over 50 ms is not told. */
export async function takeLongestTask(page: Page): Promise<string> {
  const tasks = await page.evaluate(() => window.longTasks.splice(0));
  return tasks.length === 0 ? "under 50 ms" : `${Math.max(...tasks).toFixed(0)} ms`;
}

/** What the page's JavaScript holds, in MB, once its garbage is gone. */
export async function heapOf(cdp: CDPSession): Promise<number> {
  await cdp.send("HeapProfiler.collectGarbage");
  const { usedSize } = await cdp.send("Runtime.getHeapUsage");
  return usedSize / 1_000_000;
}
