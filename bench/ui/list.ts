import { setTimeout } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { manyConversations } from "../../scripts/seed/many-conversations.ts";
import { openPage, takeLongestTask } from "./open-page.ts";
import { type Figure, type Subject, spread } from "./subject.ts";

const COUNT = 100_000;
const TARGET = "p99 200 ms";
const PAGES = 30;
const FILTERS = ["idle", "failed", "waiting", "running", "escalated"].flatMap((status) =>
  ["", "&channel=telegram", "&channel=import&stage=demo_setup", "&period=30d", "&agent=crm"].map(
    (more) => `/?status=${status}${more}`,
  ),
);
/** Rare and common words, in both languages; each is used once, since the page caches results. */
const WORDS = [
  ...["refund", "order", "invoice", "the", "delivery", "48213", "thursday", "carrier", "nothing-of-that", "card"],
  ...["MODEL_TIMEOUT", "ord"],
  ...["заказ", "возврат", "счёт", "доставка", "Атлас", "спасибо", "сумму сделки", "четверг", "o", "seed-many-1-77"],
];

/** The list of 100,000 conversations: the time of each action until its rows are drawn. */
export async function measureList({ server, browser, seed }: Subject, now: number): Promise<Figure[]> {
  await seed(manyConversations({ seed: 1, size: COUNT, now }));
  await untilSearched(server.address);
  await using opened = await openPage(browser);
  const { page } = opened;
  await page.goto(server.address);
  await page.locator("[data-connection=live]").waitFor();
  await takeLongestTask(page);
  const scrolled: number[] = [];
  for (let count = 0; count < PAGES; count += 1) scrolled.push(await scrollOn(page));
  const longest = await takeLongestTask(page);
  const filtered: number[] = [];
  for (const address of FILTERS) filtered.push(await untilRows(page, { address }));
  await page.goto(server.address);
  await page.locator("[data-connection=live]").waitFor();
  const searched: number[] = [];
  for (const word of WORDS) searched.push(await untilRows(page, { words: word }));
  const name = `list of ${COUNT.toLocaleString("en")}`;
  return [
    { what: `${name}: next page when scrolled to the end, p50 / p99`, measured: spread(scrolled), target: TARGET },
    { what: `${name}: longest task while scrolling`, measured: longest, target: "50 ms" },
    { what: `${name}: filter, p50 / p99`, measured: spread(filtered), target: TARGET },
    { what: `${name}: search, from the last key, p50 / p99`, measured: spread(searched), target: TARGET },
  ];
}

/** Search is indexed in the background; the complete index is measured. */
async function untilSearched(address: string): Promise<void> {
  let behind = 1;
  while (behind > 0) {
    await setTimeout(500);
    const found: { behind?: number } = await (
      await fetch(new URL("/api/conversations?q=refund&limit=1", address))
    ).json();
    behind = found.behind ?? 0;
  }
}

/** Scrolls to the end of the loaded rows; returns the time until there are more. */
function scrollOn(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const box = document.querySelector("main table")?.parentElement;
    if (!box) throw new Error("The list is not there");
    const known = box.scrollHeight;
    const started = performance.now();
    box.scrollTop = known;
    // Rows that are loading are drawn as empty ones first.
    while (box.scrollHeight < known + 20 * 44) await new Promise(requestAnimationFrame);
    return performance.now() - started;
  });
}

/** An action on the list: an address with filters, or a search. */
type ListAction = { address: string } | { words: string };

/** Does an action; returns the time until the list has been busy and its new rows are drawn. */
function untilRows(page: Page, action: ListAction): Promise<number> {
  return page.evaluate(async (asked) => {
    const box = document.querySelector("main [aria-busy]");
    const input = document.querySelector<HTMLInputElement>("input[type=search]");
    const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
    if (!box || !input || !setValue) throw new Error("The list is not there");
    const { promise, resolve } = Promise.withResolvers<void>();
    const observer = new MutationObserver(() => box.getAttribute("aria-busy") === "false" && resolve());
    observer.observe(box, { attributeFilter: ["aria-busy"] });
    const started = performance.now();
    if ("address" in asked) history.replaceState(null, "", asked.address);
    else {
      setValue.call(input, asked.words);
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }
    await promise;
    observer.disconnect();
    await new Promise(requestAnimationFrame);
    return performance.now() - started;
  }, action);
}
