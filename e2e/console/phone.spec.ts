import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./setup/axe.ts";
import { test, undoBar } from "./setup/test.ts";

test.use({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true });

const FAILED = "/conversations/demo-refund-88412";

/** Every page of the console, including some with parameters. */
const PAGES = [
  ...["/overview", "/tools"],
  ...["/", "/?status=failed", "/?q=refund", "/?channel=web", "/new", "/approvals", "/approvals/alerts"],
  ...[
    "/agents",
    "/agents?agent=refund-agent",
    "/plans",
    "/plans?example=weather",
    "/prompts",
    "/connect",
    "/welcome",
    "/sign-in",
  ],
  ...["/compare", "/compare?a=demo-refund-88412&b=demo-deal-1842", `${FAILED}/transcript`],
  ...["/admin/users", "/admin/keys", "/admin/audit", "/admin/audit?action=sign_in", "/admin/data"],
  ...[FAILED, `${FAILED}?at=12`, `${FAILED}?pane=plan`, `${FAILED}?pane=call&tab=event`, `${FAILED}?pane=time`],
];

/** Elements outside of the window, and controls of the page's frame that are too small for touch. */
function misfits(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const { scrollWidth } = document.scrollingElement ?? document.documentElement;
    if (scrollWidth > innerWidth) found.push(`the page is ${scrollWidth} px wide`);
    for (const field of document.querySelectorAll("input:not([type=checkbox], [type=radio], [type=range]), textarea"))
      if (field.checkVisibility() && Number.parseFloat(getComputedStyle(field).fontSize) < 16)
        found.push(`a field whose letters are small: ${field.outerHTML.slice(0, 120)}`);
    return found;
  });
}

/** Visible controls that are too low for touch. */
function lowOnes(page: Page, within: string): Promise<string[]> {
  return page.evaluate((selector) => {
    const low: string[] = [];
    for (const control of document.querySelectorAll(`${selector} :is(button, a, [role=tab], input[type=range])`)) {
      const { width, height } = control.getBoundingClientRect();
      if (control.checkVisibility() && width > 1 && (height < 44 || width < 44))
        low.push(`${control.getAttribute("aria-label") ?? control.textContent} ${width} × ${height}`);
    }
    return low;
  }, within);
}

test("no page is wider than a phone, and no field causes a zoom", async ({ page }) => {
  for (const address of PAGES) {
    await page.goto(address);
    await expect(page.locator("body")).not.toBeEmpty();
    expect(await misfits(page), address).toEqual([]);
  }
});

test("on call: from the list to the failed call, through thread, plan, call and time, and back", async ({ page }) => {
  await page.goto("/?q=88412");
  await page.getByRole("link", { name: "Refund 88412" }).tap();
  const tab = (name: string) => page.getByRole("tab", { name, exact: true });
  await expect(tab("Thread")).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("region", { name: "Thread", exact: true })).toBeVisible();
  expect(await lowOnes(page, "header")).toEqual([]);
  expect(await lowOnes(page, ".phone-panes > [role=tablist]")).toEqual([]);
  await expectAccessible(page);

  await tab("Plan").tap();
  await expect(page).toHaveURL(/pane=plan/);
  const card = page.getByRole("button", { name: /^Failed payments\.refund/ });
  await expect(card).toBeVisible();
  expect(await lowOnes(page, ".phone-panes")).toEqual([]);
  await expectAccessible(page);

  await card.tap();
  await expect(tab("Call").first()).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("region", { name: "Inspector" })).toContainText("payments.refund");
  expect(await misfits(page)).toEqual([]);
  await expectAccessible(page);
  await page.goBack();
  await expect(card).toBeVisible();

  await tab("Time").tap();
  await expect(page.getByRole("button", { name: "Play" })).toBeVisible();
  await expectAccessible(page);
  await tab("Thread").tap();

  const step = page.getByRole("slider", { name: "Timeline" });
  const newest = await step.inputValue();
  await page.getByRole("button", { name: "Previous step" }).tap();
  const before = await step.inputValue();
  expect(before).not.toBe(newest);
  await page.getByRole("button", { name: /explain the newest$/ }).tap();
  const failure = page.getByRole("dialog");
  await expect(failure).toContainText("payments.refund failed");
  await expectAccessible(page);
  await failure.getByRole("button", { name: "Show in the studio" }).tap();
  await expect(failure).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Inspector" })).toBeVisible();
  await expect(step).not.toHaveValue(before);
  await page.goBack();
  await expect(failure).toBeVisible();
  await page.goForward();
  await expect(failure).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Inspector" })).toBeVisible();
  await page.goBack();
  await expect(failure).toBeVisible();
  await page.goBack();
  await expect(failure).toHaveCount(0);
  await expect(step).toHaveValue(before);
  await expect(page.getByRole("region", { name: "Thread", exact: true })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/q=88412/);
});

const DEAL = "/conversations/demo-deal-1842";

test("a pending approval is visible, a decided one shows its whole badge, and controls are large enough for touch", async ({
  page,
  context,
  baseURL,
}) => {
  await page.goto(DEAL);
  const asked = page.locator("[data-waits]").first();
  await expect(asked.getByRole("button", { name: "Approve" })).toBeInViewport({ ratio: 1 });
  expect(await lowOnes(page, "[data-waits]")).toEqual([]);
  // The bar of a past step covers neither the tabs nor the content.
  await asked.getByRole("button", { name: "Approve" }).tap();
  const bar = await undoBar(page).boundingBox();
  const [foot, pane] = await Promise.all(
    [".phone-panes > :nth-child(2)", ".phone-panes > [role=tabpanel] > section"].map((selector) =>
      page.locator(selector).boundingBox(),
    ),
  );
  expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeLessThanOrEqual(foot?.y ?? 0);
  expect((pane?.y ?? 0) + (pane?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
  await expect(undoBar(page).getByRole("button", { name: "Undo" })).toBeEnabled();
  await page.keyboard.press("z");
  await expect(undoBar(page)).toHaveCount(0);

  await page.goto(`${DEAL}?pane=plan`);
  await expect(page.locator("[data-status=waiting]").first()).toBeInViewport({ ratio: 1 });

  await page.goto("/approvals?status=approved");
  await page.locator("[data-item]").first().tap();
  const badge = page.locator(".detail-head > span").first();
  expect(await badge.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);

  for (const [address, within] of [
    ["/connect", "[role=tablist]"],
    ["/agents", "nav ul"],
    [`${DEAL}?pane=call&tab=state`, "[role=tree]"],
    [`${DEAL}?pane=call&tab=state&at=40`, "[role=tabpanel] section > ul"],
  ] as const) {
    await page.goto(address);
    await expect(page.locator(within).first()).toBeVisible();
    expect(await lowOnes(page, within), address).toEqual([]);
  }

  // Words of other languages are longer.
  await context.addCookies([{ name: "obelus-locale", value: "ru", url: baseURL ?? "" }]);
  await page.goto(`${DEAL}?pane=time`);
  const lanes = page.locator(".timeline-labels .truncate");
  await expect(lanes.filter({ hasText: "Согласования" })).toBeVisible();
  const cut = await lanes.evaluateAll((all) =>
    all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
  );
  expect(cut).toEqual([]);
  // The step is below the bar of a past step, with a gap.
  await page.goto(`${DEAL}?pane=time&at=29`);
  const [past, step] = await Promise.all(
    ["header + section", ".timeline b"].map((selector) => page.locator(selector).first().boundingBox()),
  );
  expect(step?.y ?? 0).toBeGreaterThanOrEqual((past?.y ?? 0) + (past?.height ?? 0) + 4);
});
