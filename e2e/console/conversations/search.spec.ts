import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "../setup/axe.ts";
import { openStudio, recordTalk } from "../setup/recorded.ts";
import { test } from "../setup/test.ts";

const panel = (page: Page) => page.getByRole("search", { name: /^(Search this conversation|Поиск по диалогу)$/ });
const hits = (page: Page) => panel(page).getByRole("option");

/** The number of highlighted matches on the page. */
const marked = (page: Page) => page.evaluate(() => [...(CSS.highlights.get("find") ?? [])].map(String));

test("E14, C2: a search in a conversation finds messages and values, opens their steps, and highlights them", {
  tag: "@postgres",
}, async ({ page }) => {
  const id = await recordTalk(page, "Tulips", "Please send tulips, -20% off (red)");
  await openStudio(page, `/conversations/${id}`);
  // At once: text typed while the panel opens goes to the panel, not to shortcuts.
  await page.keyboard.type("/TULIPS -20%");
  await expect(panel(page).getByRole("combobox")).toBeFocused();
  await expect(panel(page).getByRole("combobox")).toHaveValue("TULIPS -20%");
  await expect(hits(page)).toHaveCount(1);
  await expect(hits(page).locator("mark")).toHaveText(["tulips", "-20%"]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/at=2\b/);
  await expect(page).toHaveURL(/find=TULIPS/);
  await expect.poll(() => marked(page)).toContain("tulips");

  await panel(page).getByRole("combobox").fill("тюльпан");
  await expect(hits(page)).toHaveCount(1);
  await expect(hits(page)).toContainText("deal.note");
  await panel(page).getByText("Messages", { exact: true }).click();
  await expect(panel(page)).toContainText("No step contains all of these words.");
});

test("C2: a search is in the address: the link shows the same hits, and Escape closes it", async ({ page }) => {
  const id = await recordTalk(page, "Roses", "Red roses and white roses");
  await openStudio(page, `/conversations/${id}?find=roses`);
  await expect(hits(page).first()).toBeVisible();
  await expect.poll(() => marked(page)).toEqual(["roses", "roses"]);
  await panel(page).getByRole("combobox").press("Escape");
  await expect(panel(page)).toHaveCount(0);
  await expect(page).not.toHaveURL(/find=/);
  expect(await marked(page)).toEqual([]);
});

test("C1: a hit in the list opens the conversation at its step", async ({ page }) => {
  const word = `peony${Date.now()}`;
  const id = await recordTalk(page, "Peonies", `One ${word}`);
  await page.goto(`/?q=${word}`);
  await page.getByRole("link", { name: "Peonies" }).click();
  await expect(page).toHaveURL(new RegExp(`/conversations/${id}\\?at=2$`));
});

test("C1, C2: J and K go through the filtered list, U goes back to it", async ({ page }) => {
  const word = `lily${Date.now()}`;
  const ids: string[] = [];
  for (const name of ["first", "second", "third"]) ids.push(await recordTalk(page, `Lily ${name}`, `${word} ${name}`));
  await page.goto(`/?q=${word}`);
  await expect(page.locator("[data-connection=live]")).toBeVisible();
  const rows = page.getByRole("table").locator("a[id^=conversation-]");
  await expect(rows).toHaveCount(3);
  const order = await rows.allTextContents();
  await rows.first().click();
  const title = page.getByRole("heading", { level: 1 });
  await expect(title).toHaveText(order[0] ?? "");
  await expect(page.getByText("Loading the timeline…")).toHaveCount(0);
  await page.keyboard.press("j");
  await expect(title).toHaveText(order[1] ?? "");
  await page.keyboard.press("j");
  await expect(title).toHaveText(order[2] ?? "");
  await page.keyboard.press("k");
  await expect(title).toHaveText(order[1] ?? "");
  await page.keyboard.press("u");
  await expect(page).toHaveURL(new RegExp(`/\\?q=${word}$`));
  await expect(rows.nth(1)).toBeFocused();
});

test("C2: the search is accessible", async ({ page, context, baseURL }) => {
  await context.addCookies([{ name: "obelus-locale", value: "ru", url: baseURL ?? "" }]);
  const id = await recordTalk(page, "Asters", "Asters, and more asters");
  await openStudio(page, `/conversations/${id}?find=asters`);
  await expect(hits(page).first()).toBeVisible();
  await expectAccessible(page);
});

test("C1: a view is saved for everybody, selected, replaced, renamed and deleted", async ({ page }) => {
  await page.goto("/?status=failed");
  await expect(page.locator("[data-connection=live]")).toBeVisible();
  const button = page.getByRole("button", { name: "Views" });
  await button.click();
  const views = page.getByRole("dialog", { name: "Saved views" });
  await views.getByRole("textbox", { name: "Name of the view" }).fill("Broken");
  await views.getByRole("checkbox", { name: "Everybody sees it" }).check();
  await views.getByRole("button", { name: "Save" }).click();
  await expect(views.getByRole("link", { name: "Broken shared" })).toHaveAttribute("href", "/?status=failed");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Display" }).click();
  await page.getByText("Smallest first").click();
  await expect(page).toHaveURL(/order=asc/);
  await page.keyboard.press("Escape");
  await button.click();
  await views.getByRole("button", { name: "Change “Broken”" }).click();
  await views.getByRole("textbox", { name: "Change “Broken”" }).fill("Oldest broken");
  await views.getByRole("checkbox", { name: "Replace it with what the list shows now" }).check();
  await page.keyboard.press("Enter");
  await expect(views.getByRole("link", { name: "Oldest broken" })).toHaveAttribute("href", "/?status=failed&order=asc");
  await page.goto("/");
  await button.click();
  await views.getByRole("link", { name: "Oldest broken" }).click();
  await expect(page).toHaveURL(/status=failed&order=asc/);
  await page.getByRole("button", { name: "Oldest broken" }).click();
  await views.getByRole("button", { name: "Delete “Oldest broken”" }).click();
  await expect(views.getByRole("link")).toHaveCount(0);
});
