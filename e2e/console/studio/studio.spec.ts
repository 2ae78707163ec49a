import { randomUUID } from "node:crypto";
import { type APIRequestContext, type BrowserContext, expect, type Page } from "@playwright/test";
import { expectAccessible } from "../setup/axe.ts";
import { test } from "../setup/test.ts";

const START = Date.parse("2026-11-20T09:00:00.000Z");

const PLAN = [
  { _tool: "deal.get", _id: "get", id: 7, _outputPath: "†state.deal" },
  {
    _tool: "policy.check",
    _id: "check",
    _reasoningForCall: "Large sums need a rule",
    amount: "†state.deal.amount",
    _outputPath: "†state.allowed || †state.refused",
  },
  { _tool: "deal.update", _id: "update", id: "†state.deal.id", amount: 250, _outputPath: "†state.update" },
];

/** A turn that reads a deal, fails once, and ends with a pending approval: 12 steps. */
const STEPS: [type: string, payload: object, run?: boolean][] = [
  ["conversation.created", { title: "A deal to raise", channel: "web" }],
  ["message.created", { role: "user", name: "Anna", content: "Please raise deal 7 to 250." }],
  ["run.started", {}, true],
  ["plan.proposed", { iteration: 1, calls: PLAN }, true],
  ["call.started", { call_id: "get", tool: "deal.get", params: { id: 7 } }, true],
  [
    "call.retried",
    { call_id: "get", tool: "deal.get", attempt: 1, error: { code: "BUSY", message: "try later" } },
    true,
  ],
  ["call.succeeded", { call_id: "get", tool: "deal.get", output: { id: 7, amount: 200 } }, true],
  ["state.written", { path: "†state.deal", value: { id: 7, amount: 200 }, call_id: "get" }, true],
  ["call.started", { call_id: "check", tool: "policy.check", params: { amount: 200 } }, true],
  ["call.parked", { call_id: "update", tool: "deal.update", params: { id: 7, amount: 250 } }, true],
  [
    "confirmation.requested",
    {
      confirmation_id: "k",
      key: "update",
      call_id: "update",
      iteration: 1,
      description: "Raise deal 7",
      action: { method: "deal.update", params: { id: 7, amount: 250 } },
    },
    true,
  ],
  ["message.created", { role: "assistant", content: "I have asked for **permission**." }, true],
];

/** Records the turn under ids of its own. */
async function recordTurn(request: APIRequestContext, id = `studio-${randomUUID()}`): Promise<string> {
  const data = STEPS.map(([type, payload, inRun], index) => ({
    id: `${id}-${index + 1}`,
    conversation_id: id,
    type,
    run_id: inRun ? `${id}-run` : undefined,
    occurred_at: new Date(START + index * 1_000).toISOString(),
    payload: {
      ...payload,
      ...(type === "message.created" ? { message_id: `${id}-message-${index}` } : {}),
      ...(type === "confirmation.requested" ? { confirmation_id: `${id}-confirmation` } : {}),
    },
  }));
  expect((await request.post("/api/events", { data })).status()).toBe(201);
  return id;
}

const studio = (id: string, query = "") => `/conversations/${encodeURIComponent(id)}${query}`;
const thread = (page: Page) => page.getByRole("region", { name: "Thread", exact: true });
const inspector = (page: Page) => page.getByRole("region", { name: "Inspector" });
const tab = (page: Page, name: string) => page.getByRole("tab", { name, exact: true });
const row = (page: Page, tool: string) => thread(page).getByRole("button", { name: tool });

/** Opens a studio and waits until it is connected, so that nothing changes afterwards. */
async function openStudio(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.getByRole("tree").or(page.getByRole("tabpanel")).first()).toBeVisible();
  await expect(page.getByText("Loading the timeline…")).toHaveCount(0);
}

async function inLanguage(context: BrowserContext, baseURL: string | undefined, locale: string): Promise<void> {
  await context.addCookies([{ name: "obelus-locale", value: locale, url: baseURL ?? "" }]);
}

test("C2: a recorded conversation opens from the list, with its title and status", async ({ page }) => {
  // Other tests record conversations too, and the list is virtualized.
  await page.goto("/?agent=shop-assistant");
  await page.getByRole("link", { name: "Order 5521: wrong size" }).click();
  await expect(page).toHaveURL(/\/conversations\/demo-wrong-size/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Order 5521: wrong size");
  await expect(thread(page)).toContainText("Brilliant, thank you!");
  await page.getByRole("link", { name: "Conversations", exact: true }).click();
  await expect(page.getByRole("table")).toBeVisible();
});

test("C2: the selection is in the address, and opens the same view in another window", async ({
  page,
  request,
  context,
}) => {
  const id = await recordTurn(request);
  await openStudio(page, studio(id, "?at=8"));
  await row(page, "deal.get").click();
  await expect(page).toHaveURL(/call=get/);
  await expect(page).toHaveURL(/tab=call/);
  await expect(inspector(page)).toContainText("BUSY");
  await tab(page, "State").click();
  await page.getByRole("treeitem", { name: /amount/ }).click();
  await expect(page).toHaveURL(/path=/);

  const other = await context.newPage();
  await openStudio(other, page.url());
  await expect(other.getByRole("treeitem", { selected: true })).toContainText("amount");
  await expect(other.getByRole("region", { name: "Selected path" })).toContainText("deal.get");
  await expect(row(other, "deal.get")).toHaveAttribute("aria-pressed", "true");
  await expect(thread(other)).toContainText("Step 8");

  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/path=|call=/);
});

test("C2: two windows of one conversation have separate steps", async ({ page, request, context }) => {
  const id = await recordTurn(request);
  await openStudio(page, studio(id, "?at=5"));
  const other = await context.newPage();
  await openStudio(other, studio(id));
  await expect(other.getByText("Raise deal 7").first()).toBeVisible();
  await expect(thread(page)).toContainText("Step 5");
  await thread(page).getByRole("button", { name: "Go live" }).click();
  await expect(page.getByText("Raise deal 7").first()).toBeVisible();
  await expect(page).not.toHaveURL(/at=/);
});

test("C2: Share copies a link to the current step", async ({ page, request, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const id = await recordTurn(request);
  await openStudio(page, studio(id, "?tab=event"));
  await page.getByRole("button", { name: "Copy a link to this step" }).click();
  await expect(page.getByText("Link copied").first()).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(new URL(link).search).toBe("?tab=event&at=12");
});

test("C3: the thread shows only what had happened by the step", async ({ page, request }) => {
  const id = await recordTurn(request);
  await openStudio(page, studio(id, "?at=5"));
  await expect(thread(page)).toContainText("Please raise deal 7 to 250.");
  await expect(row(page, "deal.get")).toHaveAttribute("aria-current", "step");
  await expect(thread(page)).toContainText("7 later steps");
  await expect(thread(page)).not.toContainText("policy.check");
  await expect(thread(page)).not.toContainText("permission");

  await page.goto(studio(id, "?at=0"));
  await expect(thread(page)).toContainText("Before the first step");
});

test("C3: pending approvals are counted, shown with old and new value, and can be decided", {
  tag: "@postgres",
}, async ({ page, request }) => {
  const id = await recordTurn(request);
  await openStudio(page, studio(id));
  await expect(thread(page)).toContainText("Requires approval: Raise deal 7");
  await expect(thread(page)).toContainText("Done: 1 of 3 calls, 1 after a retry");
  const ask = thread(page).getByRole("article").filter({ hasText: "Waiting for approval" });
  await expect(ask.getByRole("deletion")).toHaveText("200");
  await expect(ask.getByRole("insertion")).toHaveText("250");
  await expect(ask.getByRole("button", { name: "Approve", exact: true })).toBeEnabled();
});

test("C3: agents' Markdown is rendered without raw HTML, remote images or unsafe links", async ({ page, request }) => {
  const id = `studio-${randomUUID()}`;
  const content =
    'A **bold** word, <img src=x onerror="document.title=1">, [bad](javascript:alert(1)) and ![pic](https://example.com/a.png)';
  await request.post("/api/messages", { data: { conversation_id: id, role: "assistant", content } });
  await openStudio(page, studio(id));
  await expect(thread(page).locator("strong")).toHaveText("bold");
  await expect(thread(page).locator("img")).toHaveCount(0);
  await expect(thread(page).locator('a[href^="javascript"]')).toHaveCount(0);
  await expect(thread(page).getByRole("link", { name: "pic" })).toHaveAttribute("rel", /noopener/);
});

test("C3: a message over 16 kB is loaded on request", { tag: "@postgres" }, async ({ page, request }) => {
  const id = `studio-${randomUUID()}`;
  const content = `${"x ".repeat(20_000)}the very end`;
  await request.post("/api/messages", { data: { conversation_id: id, role: "user", content } });
  await openStudio(page, studio(id));
  await expect(thread(page)).not.toContainText("the very end");
  await thread(page).getByRole("button", { name: /40 kB/ }).click();
  await expect(thread(page)).toContainText("the very end");
});

test("C3: a long conversation shows its newest messages, and earlier ones on request", { tag: "@postgres" }, async ({
  page,
  request,
}) => {
  const id = `studio-${randomUUID()}`;
  const data = Array.from({ length: 230 }, (_, n) => ({
    conversation_id: id,
    role: "user",
    content: `Message no. ${n + 1}.`,
  }));
  await request.post("/api/messages", { data });
  await openStudio(page, studio(id));
  await expect(thread(page)).toContainText("Message no. 230.");
  await expect(thread(page)).not.toContainText("Message no. 30.");
  await expect(thread(page)).toContainText("30 earlier messages");
  await thread(page).getByRole("button", { name: "Show from the beginning" }).click();
  await expect(thread(page).getByRole("article")).toHaveCount(230);
  await expect(thread(page).getByRole("article").first()).toContainText("Message no. 1.");
  await expect(thread(page)).not.toContainText("earlier messages");
});

test("C6: the state shows the step's changes, the writers, and why a path has no value", async ({ page, request }) => {
  const id = await recordTurn(request);
  await openStudio(page, studio(id, "?at=8"));
  const changed = page.getByRole("region", { name: "This step changed" });
  await expect(changed).toContainText("deal.amount");
  await expect(changed).toContainText("200");
  await expect(page.getByRole("treeitem", { name: /^changed deal/ })).toContainText("deal.get");
  const absent = page.getByRole("list", { name: "Paths not written yet" });
  await expect(absent).toContainText("to be written");
  await page.goto(studio(id));
  await expect(absent).toContainText("waits for approval");
  await expect(absent).toContainText("being written");
});

test("C6: a path is selected with the keyboard and links to its writer and readers", async ({ page, request }) => {
  const id = await recordTurn(request);
  await openStudio(page, studio(id));
  await page.getByRole("tree").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const panel = page.getByRole("region", { name: "Selected path" });
  await expect(panel).toContainText("†state.deal.amount");
  await expect(panel).toContainText("policy.check");
  // Its history below names the call, too.
  await panel.getByRole("button", { name: "policy.check" }).first().click();
  await expect(tab(page, "Call")).toHaveAttribute("aria-selected", "true");
  await expect(inspector(page)).toContainText("Large sums need a rule");
  await expect(inspector(page)).toContainText("†state.deal.amount");
});

test("C6: the Event tab shows the step's raw event, which can be copied", async ({ page, request, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const id = await recordTurn(request);
  await openStudio(page, studio(id, "?at=7&tab=event"));
  await expect(inspector(page)).toContainText("Call succeeded");
  await inspector(page).getByRole("button", { name: "Copy", exact: true }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(JSON.parse(copied)).toMatchObject({ seq: 7, type: "call.succeeded", conversation_id: id });
});

test("C12: an unknown conversation is reported with its id and a link back", async ({ page }) => {
  const answer = await page.goto(studio("не/то id"));
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Conversation not found");
  await expect(page.getByText("не/то id")).toBeVisible();
  await page.getByRole("link", { name: "All conversations", exact: true }).click();
  await expect(page.getByRole("table")).toBeVisible();
});

test("C2: an id with spaces, slashes and other letters opens", { tag: "@postgres" }, async ({ page, request }) => {
  const id = await recordTurn(request, `сделка 7/${randomUUID()} 100%`);
  await openStudio(page, studio(id, "?at=3"));
  await expect(thread(page)).toContainText("Please raise deal 7 to 250.");
  await row(page, "deal.get").waitFor({ state: "detached" });
  await page.keyboard.press("ArrowRight");
  await expect(thread(page)).toContainText("Step 4");
});

for (const at of ["-1", "13", "abc", "1.5", "99999999999999999999"]) {
  test(`C12: the step "${at}" in the address opens the last one with a notice`, async ({ page, request }) => {
    const id = await recordTurn(request);
    await openStudio(page, studio(id, `?at=${at}&tab=event`));
    await expect(page.getByText(`Step ${at} does not exist. This conversation has steps 0 to 12.`)).toBeVisible();
    await expect(thread(page)).toContainText("permission");
    await page.getByRole("link", { name: "Go to step 12" }).click();
    await expect(page.getByText("does not exist")).toHaveCount(0);
    expect(new URL(page.url()).search).toBe("?tab=event");
  });
}

test("C12: new events appear in thread and state without a reload", { tag: "@postgres" }, async ({ page, request }) => {
  const id = await recordTurn(request);
  await openStudio(page, studio(id));
  await expect(thread(page)).toContainText("Live");
  const more = { conversation_id: id, run_id: `${id}-run` };
  const value = { limit: 300 };
  await request.post("/api/events", {
    data: [{ ...more, type: "state.written", payload: { path: "†state.allowed", value, call_id: "check" } }],
  });
  await expect(page.getByRole("treeitem", { name: /limit/ })).toBeVisible();
  await request.post("/api/messages", { data: { conversation_id: id, role: "assistant", content: "Still waiting." } });
  await expect(thread(page)).toContainText("Still waiting.");
});

test("C2: in a narrow window the thread is collapsed, shows what is pending, and expands over the plan", async ({
  page,
  request,
}) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  const id = await recordTurn(request);
  await openStudio(page, studio(id));
  const rail = page.getByRole("complementary", { name: "Thread" });
  await expect(rail.getByRole("img", { name: "1 approval pending" })).toBeVisible();
  await expect(thread(page)).toHaveCount(0);
  await rail.getByRole("button", { name: "Expand the thread" }).click();
  await expect(thread(page)).toContainText("Please raise deal 7 to 250.");
  await page.keyboard.press("Escape");
  await expect(thread(page)).toHaveCount(0);
});

test("C2: panes are resized with the keyboard, and keep their sizes", async ({ page, request }) => {
  const id = await recordTurn(request);
  await openStudio(page, studio(id));
  const width = async () => Math.round((await thread(page).boundingBox())?.width ?? 0);
  const before = await width();
  await page.getByRole("separator", { name: "Width of the thread" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(width).toBeGreaterThan(before);
  const after = await width();
  await page.reload();
  await expect.poll(width).toBe(after);
});

test("C2: the studio is in Russian", async ({ page, request, context, baseURL }) => {
  await inLanguage(context, baseURL, "ru");
  const id = await recordTurn(request);
  await page.goto(studio(id, "?at=8"));
  await expect(page.getByRole("heading", { level: 2, name: "Диалог" })).toBeVisible();
  await expect(page.getByText("Готово: 1 из 3, 1 после повтора")).toBeVisible();
  await expect(page.getByRole("tab", { name: "Состояние" })).toBeVisible();
  await expect(page.getByText("ещё 4 шага")).toBeVisible();
});

test("C2: axe reports nothing on a path, a call and an event", async ({ page, request }) => {
  const id = await recordTurn(request);
  for (const query of ["?path=%E2%80%A0state.deal.amount", "?tab=call&call=get", "?at=7&tab=event"]) {
    await openStudio(page, studio(id, query));
    await expectAccessible(page);
  }
});
