import { expect, type Page } from "@playwright/test";
import { thread } from "./setup/live-run.ts";
import { test } from "./setup/test.ts";

const PAGES = [
  "/",
  "/overview",
  "/overview?view=table",
  "/tools",
  "/suites",
  "/tools/crm.order.get",
  "/conversations/demo-wrong-size",
  "/conversations/demo-coffee-shop?graph=stages",
  "/approvals?status=approved",
  "/approvals/alerts",
  "/agents",
  "/plans",
  "/compare?a=demo-refund-88412&b=demo-wrong-size",
  "/prompts",
  "/connect?tab=otel",
  "/welcome",
  "/new",
  "/admin/users",
  "/admin/keys",
  "/api-docs",
  "/conversations/demo-wrong-size/transcript",
  "/no/such/page",
];

/** How far the page extends beyond the window. */
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test.describe("at a zoom of 200 %", () => {
  test.use({ viewport: { width: 640, height: 400 } });

  for (const address of PAGES) {
    test(`C: the page has no horizontal scrolling (WCAG 1.4.10): ${address}`, async ({ page }) => {
      await page.goto(address);
      await expect(page.getByRole("main")).toBeVisible();
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      // Part of the content is visible between header and footer.
      const main = await page.getByRole("main").boundingBox();
      expect(main?.height).toBeGreaterThan(150);
    });
  }
});

test("C: with reduced motion nothing is animated", async ({ page }) => {
  // The others follow a scroll position, which only the reader changes.
  const moving = () =>
    page.evaluate(
      () =>
        document
          .getAnimations()
          .filter(({ playState, timeline }) => playState === "running" && timeline === document.timeline).length,
    );
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.goto("/conversations/demo-invoice-batch-2217");
  await expect(thread(page).getByText("Live", { exact: true })).toBeVisible();
  await expect.poll(moving).toBeGreaterThan(0);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await expect.poll(moving).toBe(0);
});

test("C: a strip that scrolls fades only where there is more of it", async ({ page }) => {
  await page.setViewportSize({ width: 820, height: 600 });
  await page.goto("/overview");
  const strip = page.getByRole("navigation", { name: "Main" });
  const fades = () =>
    strip.evaluate((element) => {
      const style = getComputedStyle(element);
      return [style.getPropertyValue("--fade-start"), style.getPropertyValue("--fade-end")];
    });
  await expect.poll(fades).toEqual(["0px", "28px"]);
  await strip.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
  await expect.poll(fades).toEqual(["28px", "0px"]);
});

test("C5: the timeline is also a table with its lanes and their numbers", async ({ page }) => {
  await page.goto("/conversations/demo-wrong-size");
  const table = page.getByRole("table", { name: "Timeline as a table" });
  for (const lane of ["User", "Agent", "Model", "Approvals"])
    await expect(table.getByRole("rowheader", { name: lane, exact: true })).toBeAttached();
  await expect(table.getByRole("row", { name: /^Tools/ })).toContainText("8");
});
