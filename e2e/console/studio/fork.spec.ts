import { randomUUID } from "node:crypto";
import { type BrowserContext, expect, type Locator, type Page } from "@playwright/test";
import { expectAccessible } from "../setup/axe.ts";
import { decision, header, inspector, node, runLive, thread } from "../setup/live-run.ts";
import { sendNow, test } from "../setup/test.ts";
import { startTools, type ToolServer } from "../setup/tool-server.ts";

let tools: ToolServer;
test.beforeEach(async () => {
  tools = await startTools();
});
test.afterEach(() => tools.close());

const plan = [
  { _tool: "deal.get", _id: "get", id: 7, _outputPath: "†state.deal" },
  { _tool: "deal.update", _id: "update", deal: "†state.deal", amount: 250, _outputPath: "†state.updated" },
];

const banner = (page: Page): Locator => page.getByRole("region", { name: "Fork", exact: true });
const dialog = (page: Page): Locator => page.getByRole("dialog", { name: /^Fork from step/ });

/** A run with a pending approval, in the studio, live. */
async function waitingRun(page: Page): Promise<string> {
  tools.answer("deal.get", { status: 200, body: { title: "Roof", amount: 200 } });
  const id = await runLive(page, tools, {
    plan,
    used: ["deal.get", { name: "deal.update", requires_confirmation: true }],
  });
  await expect(header(page)).toContainText("Waiting for approval");
  return id;
}

async function openDialog(page: Page): Promise<void> {
  await header(page)
    .getByRole("button", { name: /^Fork from step/ })
    .click();
  await expect(dialog(page)).toBeVisible();
}

async function create(page: Page, source: string): Promise<string> {
  await dialog(page).getByRole("button", { name: "Create fork" }).click();
  await expect(banner(page)).toBeVisible();
  const id = decodeURIComponent(new URL(page.url()).pathname.split("/").at(-1) ?? "");
  expect(id).not.toBe(source);
  return id;
}

test("E9: a fork with an edited value and call shows what it closes, runs nothing until it is started, and then runs the remaining calls", {
  tag: "@postgres",
}, async ({ page }) => {
  const source = await waitingRun(page);
  await openDialog(page);
  await expect(dialog(page)).toContainText("Closed in the fork: 1 open run and 1 pending approval");
  await expectAccessible(page);
  await dialog(page).getByRole("button", { name: "Change a value" }).click();
  await page.getByRole("menuitem", { name: "†state.deal" }).click();
  const value = dialog(page).getByRole("textbox", { name: "Value at †state.deal, as JSON" });
  await expect(value).toHaveValue(/"Roof"/);
  await value.fill("{ not json");
  await dialog(page).getByRole("button", { name: "Create fork" }).click();
  await expect(dialog(page).getByRole("alert")).toContainText("Not valid JSON");
  await value.fill('{ "title": "Cellar", "amount": 90 }');
  await dialog(page).getByText("Plan and call parameters").click();
  const text = dialog(page).getByRole("textbox", { name: "Plan as JSON: a list of calls" });
  await text.fill((await text.inputValue()).replace("250", "99"));

  const fork = await create(page, source);
  await expect(banner(page)).toContainText("Nothing runs until you run the plan");
  await expect(node(page, "deal.update", "Planned")).toBeVisible();
  expect(tools.calls("deal.update")).toEqual([]);
  await expectAccessible(page);

  await expect(banner(page)).toContainText("Own memory · nothing is sent to the user");
  await expect(banner(page)).toContainText("Tools: simulated");
  await banner(page).getByRole("button", { name: "Call real tools in this fork" }).click();
  const asked = page.getByRole("dialog", { name: "Call real tools in this fork" });
  await expect(asked).toContainText("Their changes are real");
  await expectAccessible(page);
  await asked.getByRole("button", { name: "Call real tools" }).click();
  await expect(banner(page)).toContainText("Tools: real");
  await banner(page).getByRole("button", { name: "Run from here" }).click();
  await expect(header(page)).toContainText("Waiting for approval");
  await expect(banner(page).getByRole("button", { name: "Run from here" })).toHaveCount(0);
  await node(page, "deal.update", "Waiting for approval").click();
  await decision(page).getByRole("button", { name: "Approve", exact: true }).click();
  await sendNow(page);
  await expect(node(page, "deal.update", "Succeeded")).toBeVisible();
  expect(tools.calls("deal.update")).toEqual([{ deal: { title: "Cellar", amount: 90 }, amount: 99 }]);
  expect(tools.calls("deal.get")).toHaveLength(1);
  expect((await (await page.request.get(`/api/conversations/${source}`)).json()).status).toBe("waiting");
  expect((await (await page.request.get(`/api/conversations/${fork}`)).json()).status).toBe("idle");
});

test("E9: for an external agent the dialog names missing tools, and a run of the fork uses recorded results", async ({
  page,
}) => {
  const conversation_id = `elsewhere-${randomUUID()}`;
  const calls = [{ _tool: "shop.order", _id: "order", number: 7, _outputPath: "†state.order" }];
  const data = [
    { type: "run.started", payload: {} },
    { type: "plan.proposed", payload: { iteration: 1, calls } },
    { type: "call.started", payload: { call_id: "order", tool: "shop.order", params: { number: 7 } } },
    { type: "call.succeeded", payload: { call_id: "order", tool: "shop.order", output: { sum: 20 } } },
  ].map((event) => ({ ...event, conversation_id, run_id: conversation_id }));
  expect((await page.request.post("/api/events", { data })).status()).toBe(201);
  await page.goto(`/conversations/${conversation_id}?at=2`);
  await openDialog(page);
  await expect(dialog(page)).toContainText("This server does not have the tool shop.order");
  const fork = await create(page, conversation_id);
  await expect(header(page)).toContainText("Not run yet");
  await expect(thread(page)).not.toContainText("cancelled");
  const listed = (word: string) => expect(page.getByRole("row").filter({ hasText: word })).toHaveCount(1);
  await page.goto(`/?q=${fork}`);
  await listed("Not run yet");
  await page.goBack();
  await expect(banner(page)).toContainText("Real calls are not available here");
  await expect(banner(page).getByRole("button", { name: "Call real tools" })).toHaveCount(0);
  const box = thread(page).getByRole("textbox", { name: /^Message/ });
  await box.fill("And now?");
  await box.press("Enter");
  await expect(header(page)).toContainText("No answer");
  await expect(thread(page)).toContainText("The last message is not answered yet");
  await banner(page).getByRole("button", { name: "Run from here" }).click();
  await node(page, "shop.order", "Succeeded").click();
  await expect(inspector(page)).toContainText("Recorded result");
  await expect(inspector(page).getByRole("link", { name: "step 4" })).toHaveAttribute(
    "href",
    `/conversations/${conversation_id}?at=4`,
  );
  await expect(header(page)).toContainText("Simulated");
  await expect(thread(page)).toContainText("Simulated: 1 of 1 call answered");
  await page.goto(`/?q=${fork}`);
  await listed("Simulated");
});

test("E9: creating a fork shows progress; cancelling keeps the dialog, and it can be created again", async ({
  page,
}) => {
  const source = await waitingRun(page);
  await openDialog(page);
  await dialog(page).getByRole("textbox", { name: "Title" }).fill("Kept");
  // A history that takes long to copy.
  const address = `**/api/conversations/${source}/fork`;
  await page.route(address, () => new Promise(() => undefined));
  await dialog(page).getByRole("button", { name: "Create fork" }).click();
  await expect(dialog(page).getByRole("status")).toContainText("Copying");
  await expect(dialog(page).getByRole("progressbar", { name: "Creating" })).toBeVisible();
  await expect(dialog(page).getByRole("button", { name: "Creating" })).toBeDisabled();

  const givenUp = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/fork"));
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  expect((await givenUp).failure()?.errorText).toBe("net::ERR_ABORTED");
  await expect(dialog(page).getByRole("progressbar")).toHaveCount(0);
  await expect(dialog(page).getByRole("alert")).toHaveCount(0);
  await expect(dialog(page).getByRole("textbox", { name: "Title" })).toHaveValue("Kept");
  await expect(dialog(page).getByRole("button", { name: "Back" })).toBeVisible();

  await page.unroute(address);
  await create(page, source);
  await expect(header(page)).toContainText("Kept");
});

test("E9: fork and source link to each other, to the step", async ({ page }) => {
  const source = await waitingRun(page);
  await page.goto(`/conversations/${source}?at=4`);
  await expect(header(page).getByRole("button", { name: /^Fork from step 4/ })).toBeVisible();
  await openDialog(page);
  await dialog(page).getByRole("textbox", { name: "Title" }).fill("Another way");
  await create(page, source);
  await banner(page)
    .getByRole("link", { name: /at step 4$/ })
    .click();
  await expect(page).toHaveURL(new RegExp(`/conversations/${source}\\?at=4$`));
  await header(page).getByRole("button", { name: "1 fork of this conversation" }).click();
  await expect(page.getByRole("menuitem", { name: "Another way" })).toContainText("from step 4");
  await expect.poll(() => page.evaluate(isFlagCovered)).toBe(false);
  await page.getByRole("menuitem", { name: "Another way" }).click();
  await expect(banner(page)).toBeVisible();
});

/** Whether a fork's mark overlaps the number at the playhead. */
function isFlagCovered(): boolean {
  const boxOf = (element: Element) => element.getBoundingClientRect();
  const flag = document.querySelector("[data-part=flag]");
  if (!flag) return true;
  const { left, right } = boxOf(flag);
  return [...document.querySelectorAll(".timeline-fork")].some((mark) => {
    const box = boxOf(mark);
    return box.right > left + 1 && box.left < right - 1;
  });
}

test("E9: another user message starts where the original one was, is in the box, and is answered when sent", {
  tag: "@postgres",
}, async ({ page }) => {
  const id = `fork-${randomUUID()}`;
  const data = { id, channel: "web", user_id: `user-${id}`, agent_id: "crm", title: "Deal 123" };
  expect((await page.request.post("/api/conversations", { data })).status()).toBe(201);
  await page.goto(`/conversations/${id}`);
  await expect(thread(page).getByText("Live", { exact: true })).toBeVisible();
  const box = thread(page).getByRole("textbox", { name: /^Message/ });
  await box.fill("change the amount of deal 123 to 150000");
  await box.press("Enter");
  await expect(header(page)).toContainText("Waiting");

  await openDialog(page);
  await dialog(page).getByText("User message").click();
  await dialog(page)
    .getByRole("textbox", { name: /^Instead of the user message/ })
    .fill("Hello there");
  await create(page, id);
  await expect(box).toHaveValue("Hello there");
  await expect(box).toBeFocused();
  await expect(thread(page).getByText("150000")).toHaveCount(0);
  await box.press("Enter");
  await expect(thread(page).getByText("Hello there")).toBeVisible();
  await expect(banner(page)).not.toContainText("Nothing runs");
});

test("E9: with the keyboard, an invalid plan is refused in the dialog, and Escape closes without a fork", async ({
  page,
}) => {
  const source = await waitingRun(page);
  await header(page)
    .getByRole("button", { name: /^Fork from step/ })
    .focus();
  await page.keyboard.press("Enter");
  await expect(dialog(page).getByRole("textbox", { name: "Title" })).toBeFocused();
  await dialog(page).getByText("Plan and call parameters").click();
  await dialog(page)
    .getByRole("textbox", { name: /^Plan as JSON/ })
    .fill('[{ "_tool": "nothing" }]');
  await dialog(page).getByRole("button", { name: "Create fork" }).click();
  await expect(dialog(page).getByRole("alert")).toContainText("nothing");
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await expect(header(page).getByRole("button", { name: /^Fork from step/ })).toBeFocused();
  const { items } = await (await page.request.get(`/api/conversations?forked_from=${source}`)).json();
  expect(items).toEqual([]);
});

async function inRussian(context: BrowserContext, baseURL: string | undefined): Promise<void> {
  await context.addCookies([{ name: "obelus-locale", value: "ru", url: baseURL ?? "" }]);
}

test("E9: in Russian and in dark mode", async ({ page, context, baseURL }) => {
  const source = await waitingRun(page);
  await inRussian(context, baseURL);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto(`/conversations/${source}`);
  const open = page.getByRole("button", { name: /^Ответвить от шага/ });
  await open.click();
  const russian = page.getByRole("dialog", { name: /^Ответвление от шага/ });
  await expect(russian).toContainText("1 открытый запуск, 1 ожидаемое решение");
  await expectAccessible(page);
  await russian.getByText("План и параметры вызовов").click();
  const plan = russian.getByRole("textbox", { name: /^План, JSON/ });
  const before = await plan.inputValue();
  await plan.fill('[{ "_tool": "nothing" }]');
  await russian.getByRole("button", { name: "Создать ответвление" }).click();
  await expect(russian.getByRole("alert")).toContainText("Нет инструмента nothing; укажите существующий");
  await plan.fill(before);
  await russian.getByRole("button", { name: "Создать ответвление" }).click();
  await expect(page.getByRole("region", { name: "Ответвление", exact: true })).toContainText("Ничего не выполняется");
  await expect(page.getByRole("region", { name: "Ответвление", exact: true })).toContainText("шаг");
  await expectAccessible(page);
});
