import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "../setup/axe.ts";
import { openStudio, recordTalk } from "../setup/recorded.ts";
import { test } from "../setup/test.ts";

const palette = (page: Page) => page.getByRole("dialog", { name: /^(Commands|Команды)$/ });
const options = (page: Page) => palette(page).getByRole("option");

async function open(page: Page, typed: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await expect(palette(page).getByRole("combobox")).toBeFocused();
  await page.keyboard.type(typed);
}

test("C: the palette goes to pages and to conversations that the server finds", async ({ page }) => {
  const word = `dahlia${Date.now()}`;
  const id = await recordTalk(page, "Dahlias", `One ${word}`);
  await page.goto("/agents");
  await expect(page.locator("[data-connection=live]")).toBeVisible();
  await open(page, "approv");
  await expect(options(page).first()).toHaveText("Approvals");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/approvals$/);
  await expect(palette(page)).toHaveCount(0);
  await open(page, word);
  await expect(options(page)).toHaveCount(1);
  await expect(options(page)).toContainText("Dahlias");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/conversations/${id}\\?at=2$`));
});

test("C2: in the studio the palette finds steps, calls, values, tabs and the page's own actions", async ({ page }) => {
  const id = await recordTalk(page, "Irises", "Hello");
  await openStudio(page, `/conversations/${id}`);
  await open(page, "4");
  await expect(options(page).first()).toContainText("Go to step 4");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/at=4\b/);
  await open(page, "go live");
  await page.keyboard.press("Enter");
  await expect(page).not.toHaveURL(/at=/);
  await open(page, "deal.get");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/call=get/);
  await open(page, "note");
  await expect(options(page).filter({ hasText: "†state.deal.note" })).toBeVisible();
  await page.keyboard.press("Escape");
  await open(page, "tab memory");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/tab=memory/);
  await open(page, "fork");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: /Fork from step/ })).toBeVisible();
});

test("C: the palette changes theme and language", async ({ page }) => {
  await page.goto("/approvals");
  await expect(page.locator("[data-connection=live]")).toBeVisible();
  await open(page, "theme dark");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await open(page, "Русский");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("lang", "ru");
  await open(page, "светлая");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
});

test("C: arrow keys wrap around, Escape closes and restores the focus, and a search without results says so", async ({
  page,
}) => {
  await page.goto("/");
  await expect(page.locator("[data-connection=live]")).toBeVisible();
  await page.getByRole("button", { name: "Commands and search" }).click();
  // Only commands have this in their names, not the records of other tests.
  await page.keyboard.type("theme ");
  await expect(options(page)).toHaveCount(3);
  await expect(options(page).first()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowUp");
  await expect(options(page).last()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowDown");
  await expect(options(page).first()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.type("qqqqqqqq");
  await expect(palette(page)).toContainText("No results.");
  await page.keyboard.press("Escape");
  await expect(palette(page)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Commands and search" })).toBeFocused();
  // Opened again before the browser has reported that it is closed.
  await open(page, "");
  await palette(page).evaluate((dialog: HTMLDialogElement) => {
    dialog.close();
    window.dispatchEvent(new KeyboardEvent("keydown", { code: "KeyK", key: "k", ctrlKey: true, metaKey: false }));
  });
  await expect(palette(page).getByRole("combobox")).toBeFocused();
});

test("C: the highlighted command stays highlighted when more results arrive", async ({ page }) => {
  const word = `lupin${Date.now()}`;
  const first = await recordTalk(page, "Lupins", `One ${word}`);
  await page.goto("/agents");
  await expect(page.locator("[data-connection=live]")).toBeVisible();
  await open(page, word);
  await expect(options(page)).toHaveCount(1);
  await page.keyboard.press("Escape");
  await recordTalk(page, "Lobelias", `Two ${word}`);
  const { promise: held, resolve: answer } = Promise.withResolvers<void>();
  await page.route(/\/api\/conversations\?/, async (route) => {
    await held;
    await route.continue();
  });
  // Previous results are shown until the server has answered.
  await open(page, word);
  await expect(options(page)).toHaveCount(1);
  await page.keyboard.press("ArrowDown");
  answer();
  await expect(options(page)).toHaveCount(2);
  await expect(options(page).filter({ hasText: "Lupins" })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/conversations/${first}`));
});

test("C: the palette is accessible", async ({ page, context, baseURL }) => {
  await context.addCookies([{ name: "obelus-locale", value: "ru", url: baseURL ?? "" }]);
  const id = await recordTalk(page, "Violets", "Hello");
  await openStudio(page, `/conversations/${id}`);
  await open(page, "");
  await expect(options(page).first()).toBeVisible();
  await expectAccessible(page);
});
