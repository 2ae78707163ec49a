import { randomUUID } from "node:crypto";
import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { expectAccessible } from "../setup/axe.ts";
import { test } from "../setup/test.ts";

interface Said {
  title?: string;
  text: string;
  channel?: string;
}

/** Records a conversation with one message. */
async function say(request: APIRequestContext, { title, text, channel }: Said): Promise<string> {
  const id = `list-${randomUUID()}`;
  const message = { message_id: `${id}-1`, role: "user", content: text };
  const answer = await request.post("/api/events", {
    data: [
      { conversation_id: id, type: "conversation.created", payload: { title, channel } },
      { conversation_id: id, type: "message.created", actor: "user:anna", payload: message },
    ],
  });
  expect(answer.status()).toBe(201);
  return id;
}

const rows = (page: Page) => page.getByRole("table").locator("a[id^=conversation-]");
const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });

/** Opens the list and waits until it is connected. */
async function openList(page: Page, address = "/"): Promise<void> {
  await page.goto(address);
  await expect(page.locator("[data-connection=live]")).toBeVisible();
}

test("C1: a search finds messages and highlights the match, and the address keeps it", { tag: "@postgres" }, async ({
  page,
  request,
}) => {
  const word = `kumquat${Date.now()}`;
  await say(request, { title: "Fruit order", text: `Please add one ${word} to the basket.` });
  await openList(page);
  await page.keyboard.press("/");
  await page.keyboard.type(word);
  // While the word is typed, its beginning matches others.
  await expect(rows(page)).toHaveCount(1);
  await expect(page.locator("mark", { hasText: word })).toHaveCount(1);
  await expect(page).toHaveURL(new RegExp(`q=${word}`));
  await page.reload();
  await expect(page.getByRole("searchbox")).toHaveValue(word);
  await expect(page.locator("mark")).toHaveText(word);
});

test("C1: with more agents than fit a menu, the filter accepts any name", async ({ page, request }) => {
  const name = (n: number) => `zz-many-${String(n).padStart(3, "0")}`;
  const data = Array.from({ length: 102 }, (_, n) => ({
    conversation_id: `list-${randomUUID()}`,
    type: "conversation.created",
    payload: { title: `Of ${name(n)}`, agent_id: name(n) },
  }));
  expect((await request.post("/api/events", { data })).status()).toBe(201);
  await openList(page);
  const filter = page.getByRole("button", { name: "Agent" });
  await filter.click();
  await expect(page.getByRole("menuitemradio")).toHaveCount(101);
  await page.getByRole("menuitem", { name: /^\d+ more: type/ }).click();
  await page.getByRole("textbox", { name: "Agent" }).fill(name(101));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`agent=${name(101)}`));
  await expect(rows(page)).toHaveText([`Of ${name(101)}`]);
  await expect(filter).toContainText(name(101));
});

test("C12: in a low window, as at a zoom of 200 %, filters and rows can be reached", async ({ page, request }) => {
  const title = `Low ${Date.now()}`;
  await say(request, { title, text: "Hello" });
  await page.setViewportSize({ width: 640, height: 320 });
  await openList(page);
  await expect(page.getByRole("group", { name: "Status" })).toBeInViewport({ ratio: 1 });
  const first = row(page, title);
  await first.scrollIntoViewIfNeeded();
  await expect(first).toBeInViewport({ ratio: 1 });
  await first.hover();
  await first.getByRole("checkbox").check();
  await expect(page.getByRole("region", { name: "Selected" })).toBeVisible();
  await first.scrollIntoViewIfNeeded();
  await expect(first).toBeInViewport({ ratio: 1 });
});

test("C1: a search finds events, shows which field matched, and opens the step", { tag: "@postgres" }, async ({
  page,
  request,
}) => {
  const id = `list-${randomUUID()}`;
  const word = `quince${Date.now()}`;
  const error = { code: "LIMIT", message: `No ${word} is left` };
  const answer = await request.post("/api/events", {
    data: [
      { conversation_id: id, type: "conversation.created", payload: { title: "Out of stock" } },
      { conversation_id: id, type: "call.failed", payload: { call_id: "buy", tool: "shop.buy", error } },
      { conversation_id: id, type: "log", payload: "later" },
    ],
  });
  expect(answer.status()).toBe(201);
  await openList(page, `/?q=${word}`);
  await expect(row(page, "Out of stock")).toContainText(`Call failed: message No ${word} is left`);
  await expect(page.locator("mark")).toHaveText(word);
  await rows(page).click();
  await expect(page).toHaveURL(new RegExp(`/conversations/${id}\\?at=2`));
});

test("C1: two conversations are selected, also by two searches, and compared; of three, the two that were selected last", async ({
  page,
  request,
}) => {
  const channel = `marks-${randomUUID().slice(0, 8)}`;
  const third = await say(request, { title: "Third", text: "Hello", channel });
  const second = await say(request, { title: "Second", text: "Hello", channel });
  await say(request, { title: "First", text: "Hello", channel });
  await openList(page, `/?channel=${channel}`);
  const bar = page.getByRole("region", { name: "Selected" });
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await expect(page.getByRole("checkbox", { name: "Select “First”" })).toBeChecked();
  await expect(bar).toContainText("First");
  await expect(bar.getByRole("link")).toHaveCount(0);
  await expectAccessible(page);
  await row(page, "Second").hover();
  await page.getByRole("checkbox", { name: "Select “Second”" }).click();
  await expect(bar.getByRole("link", { name: "Compare" })).toBeVisible();
  await page.getByRole("searchbox").fill(third);
  await expect(rows(page)).toHaveText(["Third"]);
  await expect(bar).toContainText("First");
  await row(page, "Third").hover();
  await page.getByRole("checkbox", { name: "Select “Third”" }).click();
  await expect(bar).toContainText("3 selected");
  await expect(bar.getByRole("link")).toHaveCount(0);
  await expectAccessible(page);
  await page.keyboard.press("v");
  await expect(page).toHaveURL(`/compare?a=${second}&b=${third}`);
});

test("C1: Escape clears the selection", async ({ page, request }) => {
  const channel = `marks-${randomUUID().slice(0, 8)}`;
  await say(request, { title: "First", text: "Hello", channel });
  await openList(page, `/?channel=${channel}`);
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  const bar = page.getByRole("region", { name: "Selected" });
  await expect(bar).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(bar).toHaveCount(0);
});

test("conversations are assigned, tagged and resolved together, and the queue shows what is mine", async ({
  page,
  request,
}) => {
  const channel = `queue-${randomUUID().slice(0, 8)}`;
  const first = await say(request, { title: "First", text: "Hello", channel });
  await say(request, { title: "Second", text: "Hello", channel });
  const due_at = new Date(Date.now() - 80 * 60_000).toISOString();
  expect((await request.post("/api/queue", { data: { ids: [first], due_at } })).status()).toBe(200);
  await openList(page, `/?channel=${channel}`);
  for (const title of ["First", "Second"]) {
    await row(page, title).hover();
    await page.getByRole("checkbox", { name: `Select “${title}”` }).click();
  }
  const bar = page.getByRole("region", { name: "Selected" });
  await bar.getByRole("button", { name: "Assign" }).click();
  // The queue opens on the view that has something in it at that moment.
  const isStored = () => page.waitForResponse((answer) => answer.request().method() === "POST" && answer.ok());
  const assigned = isStored();
  await page.getByRole("menuitemradio", { name: "Me" }).click();
  await assigned;
  await bar.getByRole("combobox", { name: "Add a tag" }).fill("refund");
  const tagged = isStored();
  await page.keyboard.press("Enter");
  await tagged;
  await page.getByText("Queue", { exact: true }).click();
  await expect(page).toHaveURL(/queue=mine/);
  await expect(rows(page)).toHaveText(["Second", "First"]);
  await expect(row(page, "First")).toContainText("refund");
  await expect(row(page, "First")).toContainText("−1 h 20 min");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await row(page, "First").hover();
  await page.getByRole("checkbox", { name: "Select “First”" }).click();
  await bar.getByRole("button", { name: "Resolve" }).click();
  await expect(rows(page)).toHaveText(["Second"]);
  await page.getByRole("button", { name: "Resolved" }).click();
  await expect(rows(page)).toHaveText(["First"]);
});

test("C1: a fork and its source can be distinguished in the list", async ({ page, request }) => {
  const channel = `forks-${randomUUID().slice(0, 8)}`;
  const id = await say(request, { title: "Source", text: "Hello", channel });
  expect((await request.post(`/api/conversations/${id}/fork`, { data: { at: 2, title: "Branch" } })).status()).toBe(
    201,
  );
  await openList(page, `/?channel=${channel}`);
  await expect(row(page, "Branch")).toContainText(`Fork of ${id} from step 2`);
  await expect(row(page, "Source").filter({ hasNotText: "Fork of" })).toContainText("1 fork");
});

test("C1: a filter is in the address and survives a reload; clearing it restores the list", async ({
  page,
  request,
}) => {
  const channel = `fax-${randomUUID().slice(0, 8)}`;
  await say(request, { title: "By fax", text: "Hello", channel });
  await openList(page);
  await page.getByRole("button", { name: "Channel", exact: true }).click();
  await page.getByRole("menuitemradio", { name: channel }).click();
  await expect(rows(page)).toHaveText(["By fax"]);
  await page.reload();
  await expect(rows(page)).toHaveText(["By fax"]);
  await expect(page).toHaveURL(new RegExp(`channel=${channel}`));
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await expect(page).not.toHaveURL(/channel=/);
  await expect(rows(page).nth(1)).toBeVisible();
});

test("C1: the list is sorted by its heads, narrowed by ranges and days, and has the chosen columns", async ({
  page,
  request,
}) => {
  const channel = `sorted-${randomUUID().slice(0, 8)}`;
  await say(request, { title: "Short", text: "Hello", channel });
  await say(request, { title: "Long", text: "Hello", channel });
  await openList(page, `/?channel=${channel}`);
  // Nothing has an agent, a stage, a score or calls.
  await expect(page.getByRole("columnheader")).toHaveText(
    ["Selected", "Status", "Channel", "Conversation", "User", "Activity", "Messages", "Active ↓"],
    { useInnerText: true },
  );
  await page.getByRole("button", { name: "Display" }).click();
  const display = page.getByRole("dialog", { name: "Order and columns" });
  await display.getByRole("checkbox", { name: "Duration" }).check();
  await display.getByRole("checkbox", { name: "Activity" }).uncheck();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Duration", exact: true }).click();
  await page.getByRole("button", { name: "Duration", exact: true }).click();
  await expect(page).toHaveURL(/columns=user%2Cduration%2Cmessages&sort=duration&order=asc/);
  await expect(page.getByRole("columnheader", { name: "Duration" })).toHaveAttribute("aria-sort", "ascending");
  await page.getByRole("button", { name: "Period" }).click();
  await page.getByRole("menuitem", { name: "Custom dates…" }).click();
  const more = page.getByRole("dialog", { name: "More filters" });
  await more.getByLabel("Active from").fill("2020-01-01");
  await more.getByRole("spinbutton", { name: "Failures: at most" }).fill("0");
  await expectAccessible(page);
  await more.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/from=2020-01-01&failures=..0/);
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole("button", { name: "Remove the filter: Failures ≤ 0" }).click();
  await page.getByRole("button", { name: "Remove the filter: since Jan 1, 2020" }).click();
  await expect(page).not.toHaveURL(/from|failures/);
  await page.reload();
  await expect(rows(page)).toHaveCount(2);
  await expect(page.getByRole("columnheader", { name: "Activity" })).toHaveCount(0);
});

test("C1: a menu opens, moves and closes with the keyboard and restores the focus", async ({ page }) => {
  await openList(page);
  await page.keyboard.press("f");
  await expect(page.getByRole("menuitemradio", { name: "Any channel" })).toBeFocused();
  await page.keyboard.press("End");
  await expect(page.getByRole("menuitemradio", { name: "Any channel" })).not.toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Channel", exact: true })).toBeFocused();
});

test("C1: a status tab shows only its conversations", { tag: "@postgres" }, async ({ page, request }) => {
  const id = await say(request, { title: "Gone wrong", text: "Hello" });
  const run = { conversation_id: id, run_id: `${id}-run` };
  await request.post("/api/events", {
    data: [
      { ...run, type: "run.started", payload: {} },
      { ...run, type: "run.failed", payload: { error: "The model did not answer" } },
    ],
  });
  await openList(page);
  await page.getByRole("button", { name: /^Failed/ }).click();
  await expect(row(page, "Gone wrong").first()).toBeVisible();
  await expect(page).toHaveURL(/status=failed/);
  await expect(page.getByRole("table")).not.toContainText("Done");
});

test("C1: keys move through the rows and open one", async ({ page, request }) => {
  const channel = `keys-${randomUUID().slice(0, 8)}`;
  const older = await say(request, { title: "Older", text: "Hello", channel });
  const newer = await say(request, { title: "Newer", text: "Hello", channel });
  await openList(page, `/?channel=${channel}`);
  await page.keyboard.press("j");
  await expect(page.locator(`#conversation-${newer}`)).toBeFocused();
  await page.keyboard.press("j");
  await expect(page.locator(`#conversation-${older}`)).toBeFocused();
  await page.keyboard.press("k");
  await expect(page.locator(`#conversation-${newer}`)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/conversations/${newer}`));
});

test("C1: a conversation appears, and a row changes, without a reload", { tag: "@postgres" }, async ({
  page,
  request,
}) => {
  await openList(page);
  await page.evaluate(() => Object.assign(window, { notReloaded: true }));
  const id = await say(request, { title: "Breaking news", text: "First" });
  await expect(row(page, "Breaking news").first()).toContainText("First");
  await request.post("/api/messages", { data: { conversation_id: id, role: "assistant", content: "Second" } });
  await expect(row(page, "Breaking news").first()).toContainText("Second");
  expect(await page.evaluate(() => "notReloaded" in window)).toBe(true);
});

test("C1: new conversations are announced while the reader has scrolled down, and shown on request", async ({
  page,
  request,
}) => {
  const channel = `news-${randomUUID().slice(0, 8)}`;
  await Promise.all(
    Array.from({ length: 60 }, (_, n) => say(request, { title: `Filler ${n}`, text: "Hello", channel })),
  );
  await openList(page, `/?channel=${channel}`);
  await page.keyboard.press("End");
  await expect(page.locator("a:focus")).toBeVisible();
  const focused = await page.locator("a:focus").getAttribute("id");
  const place = await page.locator("a:focus").boundingBox();
  await say(request, { title: "From above", text: "Hello", channel });
  const pill = page.getByRole("button", { name: "1 new" });
  await expect(pill).toBeVisible();
  await expect(page.locator("a:focus")).toHaveAttribute("id", focused ?? "");
  expect(await page.locator("a:focus").boundingBox()).toEqual(place);
  await pill.click();
  await expect(row(page, "From above").first()).toBeInViewport();
});

test("C1: pages load while scrolling, each conversation once", { tag: "@postgres" }, async ({ page, request }) => {
  const channel = `bulk-${randomUUID().slice(0, 8)}`;
  await Promise.all(
    Array.from({ length: 120 }, (_, n) => say(request, { title: `Bulk ${n}`, text: "Hello", channel })),
  );
  await openList(page, `/?channel=${channel}`);
  const status = page.getByRole("contentinfo").getByRole("status");
  await expect(status).toHaveText("50 shown");
  await expect(async () => {
    await page.keyboard.press("End");
    await expect(status).toHaveText("120 of 120", { timeout: 1_000 });
  }).toPass();
});

test("C12: a search without matches says so and offers to clear it", async ({ page }) => {
  await openList(page, "/?q=nothingcontainsthisword");
  await expect(page.getByRole("heading", { name: "No matching conversations" })).toBeVisible();
  await page.getByRole("button", { name: "Clear search and filters" }).click();
  await expect(rows(page).first()).toBeVisible();
  await expect(page.getByRole("searchbox")).toHaveValue("");
});

test("C12: an error of loading the next page is shown, and can be retried", async ({ page, request }) => {
  const channel = `broken-${randomUUID().slice(0, 8)}`;
  await Promise.all(Array.from({ length: 60 }, (_, n) => say(request, { title: `Row ${n}`, text: "Hello", channel })));
  await openList(page, `/?channel=${channel}`);
  const problem = { type: "about:blank", title: "Conflict", status: 409, code: "conflict", detail: "Not now." };
  await page.route(/cursor=/, (route) => route.fulfill({ status: 409, json: problem }));
  await page.keyboard.press("End");
  await expect(page.getByText("Could not load more conversations.")).toBeVisible();
  await page.unroute(/cursor=/);
  const retry = page.getByRole("button", { name: "Try again" });
  await expect(async () => {
    // An update of the newest page renders the rows again, which then load on.
    if (await retry.isVisible()) await retry.click({ timeout: 1_000 });
    await expect(page.getByRole("contentinfo").getByRole("status")).toHaveText("60 of 60", { timeout: 1_000 });
  }).toPass();
});

test("C1: the language changes without leaving the page and is remembered", async ({ page }) => {
  await openList(page);
  await page.getByRole("button", { name: "Language: English" }).click();
  await page.getByRole("menuitemradio", { name: "Русский" }).click();
  await expect(page.getByRole("columnheader", { name: "Диалог" })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "ru");
  await page.reload();
  await expect(page.getByRole("searchbox", { name: "Поиск по сообщениям и событиям" })).toBeVisible();
});

test("C1: the theme follows the system until one is chosen, and the choice is remembered", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await openList(page);
  const html = page.locator("html");
  await expect(html).toHaveAttribute("data-theme", "dark");
  await page.emulateMedia({ colorScheme: "light" });
  await expect(html).toHaveAttribute("data-theme", "light");
  await page.getByRole("button", { name: /^Theme/ }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  await expect(html).toHaveAttribute("data-theme", "dark");
  await page.reload();
  await expect(html).toHaveAttribute("data-theme", "dark");
});

test("C: ? shows all keyboard shortcuts", async ({ page }) => {
  await openList(page);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("C: axe reports nothing on the list, wide and narrow, on an open menu and an open dialog", async ({ page }) => {
  await openList(page);
  await page.keyboard.press("j");
  await expectAccessible(page);
  await page.setViewportSize({ width: 1024, height: 900 });
  await expectAccessible(page);
  await page.keyboard.press("f");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await expectAccessible(page);
});

test("C12: axe reports nothing on an empty search and on an unknown address", async ({ page }) => {
  await openList(page, "/?q=nothingcontainsthisword");
  await expectAccessible(page);
  await page.goto("/no/such/page");
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  await expectAccessible(page);
});
