import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { WELCOME_COOKIE } from "../../../components/welcome/progress.ts";

/**
 * Playwright's test with pages that wait for hydration after `goto` and `reload`: before it, keys pressed on the
 * server-rendered page are lost. The welcome page has been hidden, as by whoever uses the console every day.
 */
export const test = base.extend({
  context: async ({ context, baseURL }, use) => {
    waitInAll(context);
    if (baseURL) await context.addCookies([{ name: WELCOME_COOKIE, value: "hidden=1", url: baseURL }]);
    await use(context);
  },
  page: async ({ page }, use) => {
    const refused = refusedBy(page);
    const differences = differencesOf(page);
    await use(waitIn(page));
    expect(refused, "Security: nothing on a page may break its policy").toEqual([]);
    expect(differences, "The browser draws at first what the server has drawn").toEqual([]);
  },
});

/** Open decisions. */
export const undoBar = (page: Page) =>
  page.getByRole("region", { name: /^(Unsent decisions|Неотправленные решения)$/ });

/** Sends open decisions at once. */
export async function sendNow(page: Page): Promise<void> {
  await undoBar(page)
    .getByRole("button", { name: /^(Send now|Отправить)$/ })
    .last()
    .click();
  await expect(undoBar(page)).toHaveCount(0);
}

/** Violations of the page's Content-Security-Policy. */
function refusedBy(page: Page): string[] {
  const refused: string[] = [];
  page.on("console", (message) => {
    if (/Content Security Policy/i.test(message.text())) refused.push(message.text());
  });
  return refused;
}

/** React's hydration errors, after which it renders the whole page again. */
function differencesOf(page: Page): string[] {
  const differences: string[] = [];
  page.on("pageerror", ({ message }) => {
    if (/React error #(418|423|425)|[Hh]ydrat/.test(message)) differences.push(`${page.url()}: ${message}`);
  });
  return differences;
}

/** The same for a page that a test opens itself. */
export function waitIn(page: Page): Page {
  if (waiting.has(page)) return page;
  waiting.add(page);
  const { goto, reload } = page;
  page.goto = async (...given) => {
    const response = await goto.apply(page, given);
    await takenOver(page);
    return response;
  };
  page.reload = async (...given) => {
    const response = await reload.apply(page, given);
    await takenOver(page);
    return response;
  };
  return page;
}

/** A context is used for several tests. */
const waiting = new WeakSet<Page | BrowserContext>();

function waitInAll(context: BrowserContext): void {
  if (waiting.has(context)) return;
  waiting.add(context);
  const { newPage } = context;
  context.newPage = async () => waitIn(await newPage.apply(context));
}

/** Waits for hydration, after a document that the page itself has opened. */
export async function takenOver(page: Page): Promise<void> {
  const often = { message: "React takes the page over", intervals: [20, 20, 40, 80] };
  await expect.poll(() => page.evaluate(isTakenOver), often).toBe(true);
}

/**
 * Runs in the page: React's root is hydrated, no server-rendered button waits for it, and effects have run, which React
 * schedules by messages. Without timers, because a test may have stopped the clock.
 */
async function isTakenOver(): Promise<boolean> {
  const own = (node: object, name: string) => Object.entries(node).find(([key]) => key.startsWith(name))?.[1];
  const root = own(document, "__reactContainer$")?.stateNode?.current;
  // A file, or an error page of the browser.
  if (!document.querySelector("script[src*='/_next/']")) return true;
  if (root?.memoizedState?.isDehydrated !== false) return false;
  if (![...document.querySelectorAll("button")].every((button) => own(button, "__reactProps$"))) return false;
  for (let round = 0; round < 3; round += 1) {
    await new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = resolve;
      port2.postMessage(null);
    });
  }
  return true;
}
