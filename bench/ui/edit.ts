import type { Page } from "@playwright/test";
import { widePlan } from "../../scripts/seed/wide-plan.ts";
import { openPage, takeLongestTask } from "./open-page.ts";
import { type Figure, type Subject, spread } from "./subject.ts";

const CALLS = 2_000;
/** The edited call, and its parameter, a number. */
const CALL = "region_0";
const PARAMETER = "region";
/** Its card. */
const SELECTED = '.react-flow__node:has([data-node][aria-pressed="true"])';
const EDITS = 24;
/** The first edits load and compile what later ones have. */
const WARM_UP = 4;
const SETTLE_MS = 3_000;

/** Edits of a call in a long plan: from Enter in its form until its card shows the new value. */
export async function measureEdit({ server, browser, seed }: Subject, now: number): Promise<Figure[]> {
  const studio = new URL(await seed(widePlan({ seed: 1, size: CALLS, now })));
  const conversation = decodeURIComponent(studio.pathname.split("/").at(-1) ?? "");
  const place = new URLSearchParams({
    conversation,
    run: `${conversation}:run-1`,
    iteration: "1",
    call: CALL,
    tab: "call",
  });
  await using opened = await openPage(browser);
  const { page } = opened;
  await page.goto(new URL(`/plans?${place}`, server.address).href);
  await page.getByRole("textbox", { name: PARAMETER, exact: true }).waitFor();
  await page.locator(SELECTED).waitFor();
  await page.waitForTimeout(SETTLE_MS);
  const times: number[] = [];
  for (let edit = 1; edit <= WARM_UP + EDITS; edit += 1) {
    if (edit === WARM_UP + 1) await takeLongestTask(page);
    const took = await editCall(page, 300 + edit);
    if (edit > WARM_UP) times.push(took);
  }
  const name = `an edit of a plan of ${CALLS.toLocaleString("en")} calls`;
  return [
    { what: `${name}: until the card shows it, p50 / most`, measured: spread(times), target: "100 ms" },
    { what: `${name}: longest task`, measured: await takeLongestTask(page), target: "50 ms" },
  ];
}

async function editCall(page: Page, value: number): Promise<number> {
  const field = page.getByRole("textbox", { name: PARAMETER, exact: true });
  await field.fill(String(value));
  await page.evaluate(
    ([selected, text]) => {
      window.measured = new Promise((resolve) => {
        const onPress = ({ timeStamp }: KeyboardEvent) => {
          const look = () => {
            if (document.querySelector(selected)?.textContent?.includes(text)) resolve(performance.now() - timeStamp);
            else requestAnimationFrame(look);
          };
          look();
        };
        addEventListener("keydown", onPress, { once: true, capture: true });
      });
    },
    [SELECTED, String(value)] as const,
  );
  await page.keyboard.press("Enter");
  return page.evaluate(() => window.measured);
}
