import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";

/**
 * Playwright's test, whose pages are ready when they are there: `goto` and `reload` wait until React has taken the page
 * over. What the server has drawn can be seen before, but a key that is pressed then is lost, as it is for people.
 */
export const test = base.extend({
  context: async ({ context }, use) => {
    waitInAll(context);
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

/** Decisions that can still be undone. */
export const undoBar = (page: Page) =>
  page.getByRole("region", { name: /^(Unsent decisions|Неотправленные решения)$/ });

/** Sends what was decided at once, without the time to undo it. */
export async function sendNow(page: Page): Promise<void> {
  await undoBar(page)
    .getByRole("button", { name: /^(Send now|Отправить)$/ })
    .last()
    .click();
  await expect(undoBar(page)).toHaveCount(0);
}

/** What the browser will refuse to do on the page because of its Content-Security-Policy. */
function refusedBy(page: Page): string[] {
  const refused: string[] = [];
  page.on("console", (message) => {
    if (/Content Security Policy/i.test(message.text())) refused.push(message.text());
  });
  return refused;
}

/** React's errors about a first drawing that is not the server's: it throws the whole page away then. */
function differencesOf(page: Page): string[] {
  const differences: string[] = [];
  page.on("pageerror", ({ message }) => {
    if (/React error #(418|423|425)|[Hh]ydrat/.test(message)) differences.push(`${page.url()}: ${message}`);
  });
  return differences;
}

/** The same for a page that a test opens by itself. */
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

/** A context is used for one test after another. */
const waiting = new WeakSet<Page | BrowserContext>();

function waitInAll(context: BrowserContext): void {
  if (waiting.has(context)) return;
  waiting.add(context);
  const { newPage } = context;
  context.newPage = async () => waitIn(await newPage.apply(context));
}

async function takenOver(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(isTakenOver), "React takes the page over").toBe(true);
}

/**
 * Runs in the page: React's root is hydrated, no button of the server's waits for it, and the effects have run, which React
 * puts into the line of messages. By no timer, for a test may have stopped the clock.
 */
async function isTakenOver(): Promise<boolean> {
  const own = (node: object, name: string) => Object.entries(node).find(([key]) => key.startsWith(name))?.[1];
  const root = own(document, "__reactContainer$")?.stateNode?.current;
  // A file, or the page of an error that is no page of ours.
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
