import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { startServerProcess } from "../../../scripts/server-process.ts";
import { expectAccessible } from "../setup/axe.ts";
import { header, thread } from "../setup/live-run.ts";
import { sendNow, test, waitIn } from "../setup/test.ts";

/** The message field of the studio. */
const box = (page: Page) => thread(page).getByRole("textbox", { name: /^Message|^Сообщение/ });

/** A new conversation with an agent, with a user of its own; returns their ids. */
async function meet(request: APIRequestContext): Promise<{ id: string; user: string }> {
  const [id, user] = [`talk-${randomUUID()}`, `user-${randomUUID()}`];
  const data = { id, channel: "web", user_id: user, agent_id: "crm" };
  const answer = await request.post("/api/conversations", { data });
  expect(answer.status()).toBe(201);
  return { id, user };
}

/** Opens a conversation's studio and waits until it is connected. */
async function openStudio(page: Page, id: string): Promise<void> {
  await page.goto(`/conversations/${id}`);
  await expect(thread(page).getByText("Live", { exact: true })).toBeVisible();
}

async function say(page: Page, text: string): Promise<void> {
  await box(page).fill(text);
  await box(page).press("Enter");
}

/** The users' messages on the server. */
async function said(request: APIRequestContext, id: string): Promise<string[]> {
  const { items } = await (await request.get(`/api/conversations/${id}/messages`)).json();
  return items
    .filter(({ role }: { role: string }) => role === "user")
    .map(({ content }: { content: string }) => content);
}

/** Records events of an external agent. */
async function record(request: APIRequestContext, id: string, steps: [type: string, payload: object, run?: string][]) {
  const data = steps.map(([type, payload, run]) => ({ conversation_id: id, type, payload, run_id: run }));
  expect((await request.post("/api/events", { data })).status()).toBe(201);
}

test("C3: a conversation is started from the list, exists with its first message, and the agent answers", {
  tag: "@postgres",
}, async ({ page, request }) => {
  const user = `anna-${randomUUID()}`;
  await page.goto("/");
  await expect(page.locator("[data-connection=live]")).toBeVisible();
  await page.keyboard.press("n");
  await expect(page.getByRole("heading", { name: "New conversation" })).toBeVisible();
  await expect(page.getByRole("radio", { checked: true })).toHaveAccessibleName(/admin/);
  // The choice is rendered again when the agents are loaded: an earlier click would be lost.
  await expect(() => page.getByRole("radio", { name: /^crm/ }).check({ timeout: 2_000 })).toPass();
  await page.getByRole("textbox", { name: /Write as/ }).fill(user);
  const first = page.getByRole("textbox", { name: "Your first message" });
  await first.fill("show deal 123");
  await page.reload();
  await expect(first).toHaveValue("show deal 123");
  const before = await (await request.get("/api/conversations?limit=1")).json();
  expect(before.items[0]?.user_id).not.toBe(user);
  await page.getByRole("textbox", { name: /Write as/ }).fill(user);
  await first.press("Enter");

  await expect(page).toHaveURL(/\/conversations\//);
  await expect(header(page).getByRole("heading")).toHaveText("show deal 123");
  await expect(thread(page).getByText(user)).toBeVisible();
  await expect(header(page)).toContainText("Done");
  await expect(thread(page).getByRole("button", { name: "crm.deal.get" })).toBeVisible();
  await expect(box(page)).toBeFocused();
  await expect(box(page)).toHaveAccessibleName(`Message to crm as ${user}`);
  await page.keyboard.type("hello");
  await page.keyboard.press("Enter");
  await expect(thread(page)).toContainText("4 messages");
  await expect(box(page)).toBeFocused();
  await expect(box(page)).toHaveValue("");

  await page.goto("/new");
  await expect(page.getByRole("textbox", { name: /Write as/ })).toHaveValue(user);
});

test("M9, M13: a risky request shows old and new values, waits for approval, and continues after it", async ({
  page,
  request,
}) => {
  const { id } = await meet(request);
  await openStudio(page, id);
  await say(page, "change the amount of deal 115 to 654321");
  await expect(thread(page).getByRole("button", { name: "Approve" })).toBeVisible();
  await expect(thread(page).getByRole("insertion").filter({ hasText: "654,321" })).toBeVisible();
  await expect(thread(page).getByRole("deletion")).toHaveText(/\d/);
  await expect(header(page)).toContainText("Waiting for approval");
  await thread(page).getByRole("button", { name: "Approve" }).click();
  await sendNow(page);
  await expect(header(page)).toContainText("Done");
  await expect(thread(page)).toContainText("Approved by console");
  await expect(thread(page).getByRole("button", { name: "crm.deal.update" })).toBeVisible();
});

test("M9: a denied action is shown with its reason, and the conversation continues", async ({ page, request }) => {
  const { id } = await meet(request);
  await openStudio(page, id);
  await say(page, "change the amount of deal 116 to 11");
  await thread(page).getByRole("button", { name: "Deny" }).click();
  await thread(page)
    .getByRole("textbox", { name: /Reason/ })
    .fill("Not this quarter");
  await thread(page).getByRole("button", { name: "Deny" }).click();
  await sendNow(page);
  await expect(thread(page)).toContainText("Denied by console");
  await expect(thread(page).getByText("Not this quarter").first()).toBeVisible();
  await expect(header(page)).toContainText("Done");
  await say(page, "hello");
  await expect.poll(() => said(request, id)).toEqual(["change the amount of deal 116 to 11", "hello"]);
});

test("C3: Shift+Enter adds a line, Enter of an IME ends a word, Enter sends, and nothing empty is sent", async ({
  page,
  request,
}) => {
  const { id } = await meet(request);
  await openStudio(page, id);
  await box(page).press("Enter");
  await box(page).fill("   ");
  await box(page).press("Enter");
  await box(page).fill("one");
  await box(page).press("Shift+Enter");
  await page.keyboard.type("two");
  await box(page).dispatchEvent("keydown", { key: "Enter", isComposing: true });
  await expect(box(page)).toHaveValue("one\ntwo");
  await box(page).press("Enter");
  await expect.poll(() => said(request, id)).toEqual(["one\ntwo"]);
});

test("C12: a message that could not be sent is kept with the reason, and is sent again once", async ({
  page,
  request,
}) => {
  const { id } = await meet(request);
  await openStudio(page, id);
  const address = `**/api/conversations/${id}/messages`;
  await page.route(address, (route) => route.abort());
  await say(page, "hello out there");
  await expect(thread(page).getByRole("alert")).toContainText("the server is not responding");
  await page.reload();
  await expect(thread(page).getByRole("alert")).toBeVisible();
  await page.unroute(address);
  await thread(page).getByRole("button", { name: "Send again" }).click();
  await expect(thread(page).getByRole("alert")).toHaveCount(0);
  await expect(thread(page)).toContainText("2 messages");
  await expect(thread(page).getByText("hello out there", { exact: true })).toHaveCount(1);
  expect(await said(request, id)).toEqual(["hello out there"]);
});

test("C12: a message whose response was lost is stored once, also when it is sent again", async ({ page, request }) => {
  const { id } = await meet(request);
  await openStudio(page, id);
  const address = `/api/conversations/${id}/messages`;
  const sent: unknown[] = [];
  await page.route(`**${address}`, async (route) => {
    sent.push(route.request().postDataJSON());
    await route.fetch();
    await route.abort();
  });
  await say(page, "hello once");
  await expect(thread(page)).toContainText("2 messages");
  await expect(thread(page).getByText("hello once", { exact: true })).toHaveCount(1);
  await expect(thread(page).getByRole("alert")).toHaveCount(0);
  expect((await request.post(address, { data: sent[0] })).status()).toBe(202);
  expect(await said(request, id)).toEqual(["hello once"]);
});

test("C12: a refused message can be edited again", async ({ page, request }) => {
  const { id } = await meet(request);
  await openStudio(page, id);
  const problem = { status: 409, code: "conflict", title: "Conflict", detail: "That cannot be said now." };
  await page.route(`**/api/conversations/${id}/messages`, (route) =>
    route.fulfill({ status: 409, contentType: "application/problem+json", body: JSON.stringify(problem) }),
  );
  await say(page, "a word");
  await expect(thread(page).getByRole("alert")).toContainText("That cannot be said now.");
  await thread(page).getByRole("button", { name: "Edit" }).click();
  await expect(box(page)).toHaveValue("a word");
  await expect(box(page)).toBeFocused();
  await expect(thread(page).getByRole("alert")).toHaveCount(0);
});

test("C3: each conversation keeps its draft over a reload", async ({ page, request }) => {
  const [one, two] = [await meet(request), await meet(request)];
  await openStudio(page, one.id);
  await box(page).fill("half a thou");
  await openStudio(page, two.id);
  await expect(box(page)).toHaveValue("");
  await openStudio(page, one.id);
  await expect(box(page)).toHaveValue("half a thou");
});

test("C3: at a past step nothing can be written, and going live restores the box and its draft", async ({
  page,
  request,
}) => {
  const { id } = await meet(request);
  await openStudio(page, id);
  await say(page, "hello");
  await expect(thread(page)).toContainText("2 messages");
  await box(page).fill("what I was about to say");
  await page.getByRole("button", { name: "Previous step" }).click();
  await expect(thread(page)).toContainText(/You are viewing step \d+/);
  await expect(box(page)).toHaveCount(0);
  await thread(page).getByRole("button", { name: "Go live" }).click();
  await expect(box(page)).toBeFocused();
  await expect(box(page)).toHaveValue("what I was about to say");
});

test("C3: the box counts near the limit, and sends nothing over it", async ({ page, request }) => {
  const { id } = await meet(request);
  await openStudio(page, id);
  await box(page).fill("x".repeat(99_990));
  await expect(thread(page)).toContainText("10 characters left");
  await box(page).fill("x".repeat(100_001));
  await expect(thread(page)).toContainText("1 character too many");
  await box(page).press("Enter");
  await expect(thread(page).getByRole("button", { name: "Send" })).toBeDisabled();
  expect(await said(request, id)).toEqual([]);
});

test("C3: with an external agent messages are only recorded, and the box says so", async ({ page, request }) => {
  const id = `outside-${randomUUID()}`;
  await record(request, id, [
    ["message.created", { message_id: `${id}-1`, role: "user", content: "Hello" }],
    ["run.started", {}, `${id}-run`],
    ["message.created", { message_id: `${id}-2`, role: "assistant", content: "Hi" }, `${id}-run`],
    ["run.finished", {}, `${id}-run`],
  ]);
  await openStudio(page, id);
  await expect(thread(page)).toContainText("messages are only recorded");
  await box(page).fill("For the record");
  await thread(page).getByRole("button", { name: "Record" }).click();
  await expect(thread(page)).toContainText("3 messages");
  const { runs } = await (await request.get(`/api/conversations/${id}/view`)).json();
  expect(runs).toHaveLength(1);
});

test("M10, M11: a queued turn is shown, and an answer includes the memory's self-check", { tag: "@postgres" }, async ({
  page,
  request,
}) => {
  const id = `turns-${randomUUID()}`;
  await record(request, id, [
    ["message.created", { message_id: `${id}-1`, role: "user", content: "Hello" }],
    ["run.started", {}, `${id}-one`],
    ["selfcheck.warned", { warnings: ["No goals are known"] }, `${id}-one`],
    ["message.created", { message_id: `${id}-2`, role: "user", content: "And then?" }],
    ["run.started", { queued: true }, `${id}-two`],
  ]);
  await openStudio(page, id);
  const talk = thread(page).getByRole("region", { name: "Messages and calls" });
  await expect(talk.getByText("Queued behind an earlier turn of this user")).toBeVisible();
  await expect(talk.getByText("The agent is thinking…")).toBeVisible();
  const metadata = { warnings: ["No goals are known"] };
  await record(request, id, [
    ["message.created", { message_id: `${id}-3`, role: "assistant", content: "**Hi**", metadata }, `${id}-one`],
    ["run.finished", {}, `${id}-one`],
    ["run.resumed", {}, `${id}-two`],
  ]);
  await expect(talk.getByText("Queued behind an earlier turn of this user")).toHaveCount(0);
  const answer = thread(page).getByRole("article").filter({ hasText: "Hi" });
  await expect(answer.getByRole("listitem")).toHaveText(["No goals are known"]);
  await expect(thread(page).getByText("No goals are known")).toHaveCount(1);
});

test("C12: while the server is unreachable the text is kept and cannot be sent; afterwards it can", async ({
  browser,
}) => {
  const dataDir = await mkdtemp(join(tmpdir(), "obelus-talk-"));
  const env = { OBELUS_DEMO: "0" };
  let server = await startServerProcess(dataDir, { env });
  const page = waitIn(await browser.newPage({ baseURL: server.address }));
  try {
    const { id } = await meet(page.request);
    await openStudio(page, id);
    await box(page).fill("hello again");
    await server.stop("SIGKILL");
    await expect(thread(page)).toContainText("Your text is kept", { timeout: 60_000 });
    await box(page).press("Enter");
    await expect(box(page)).toHaveValue("hello again");
    server = await startServerProcess(dataDir, { env: { ...env, PORT: new URL(server.address).port } });
    await expect(thread(page).getByRole("button", { name: "Send" })).toBeEnabled();
    await box(page).press("Enter");
    await expect(thread(page)).toContainText("2 messages");
  } finally {
    await page.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

test("M13: an agent in shadow mode, named in the address, only plans; thread and box say so", async ({ browser }) => {
  const dataDir = await mkdtemp(join(tmpdir(), "obelus-talk-"));
  const server = await startServerProcess(dataDir, { env: { OBELUS_DEMO: "0" } });
  const page = waitIn(await browser.newPage({ baseURL: server.address }));
  try {
    const {
      id: _id,
      version: _version,
      source: _source,
      ...crm
    } = await (await page.request.get("/api/agents/crm")).json();
    const quiet = { ...crm, default: false, mode: "shadow" };
    expect((await page.request.put("/api/agents/quiet", { data: quiet })).status()).toBe(201);
    await page.goto("/new?agent=quiet");
    await expect(page.getByRole("radio", { checked: true })).toHaveAccessibleName(/quiet/);
    await page.getByRole("textbox", { name: "Your first message" }).fill("change the amount of deal 115 to 11");
    await page.keyboard.press("Enter");
    await expect(thread(page)).toContainText("Simulated: nothing was executed");
    await expect(thread(page).getByRole("button", { name: /crm\.deal\.get/ })).toContainText("planned only");
    await expect(thread(page).getByText("Shadow: plans only, executes nothing.")).toBeVisible();
    await expect(box(page)).toHaveAccessibleName("Message to quiet as operator");

    const { id } = await meet(page.request);
    await openStudio(page, id);
    await say(page, "change the amount of deal 115 to 11");
    await expect(thread(page).getByRole("button", { name: "Approve" })).toBeVisible();
    await page.goto("/approvals");
    const note = page.getByText("crm was switched to Shadow after this request");
    await expect(page.getByRole("region", { name: "Decision" })).toBeVisible();
    await expect(note).toHaveCount(0);
    expect((await page.request.put("/api/agents/crm", { data: { ...crm, mode: "shadow" } })).status()).toBe(200);
    await expect(note).toBeVisible();
  } finally {
    await page.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

test("C3: the thread follows an answer, and does not move a reader who has scrolled up", async ({ page, request }) => {
  const { id } = await meet(request);
  const lines = Array.from({ length: 60 }, (_, n) => `Line ${n}`).join("\n\n");
  await record(
    request,
    id,
    Array.from({ length: 12 }, (_, n) => [
      "message.created",
      { message_id: `${id}-${n}`, role: n % 2 ? "assistant" : "user", content: lines },
    ]),
  );
  await openStudio(page, id);
  await say(page, "hello");
  await expect(thread(page)).toContainText("14 messages");
  await expect(thread(page).getByRole("article").last()).toBeInViewport();
  await thread(page).getByRole("region", { name: "Messages and calls" }).hover();
  await page.mouse.wheel(0, -3_000);
  await expect(thread(page).getByRole("article").last()).not.toBeInViewport();
  await record(request, id, [["message.created", { message_id: `${id}-x`, role: "assistant", content: "News" }]]);
  await expect(thread(page)).toContainText("15 messages");
  await expect(thread(page).getByText("News", { exact: true })).not.toBeInViewport();
  await say(page, "and now");
  await expect(thread(page)).toContainText("17 messages");
  await expect(thread(page).getByRole("article").last()).toBeInViewport();
});

test("C12: axe reports nothing on a new conversation and on its thread", async ({ page, request }) => {
  await page.goto("/new");
  await expect(page.getByRole("radio").first()).toBeVisible();
  await expectAccessible(page);
  const { id } = await meet(request);
  await openStudio(page, id);
  await say(page, "change the amount of deal 117 to 11");
  await expect(thread(page).getByRole("button", { name: "Approve" })).toBeVisible();
  await page.route(`**/api/conversations/${id}/messages`, (route) => route.abort());
  await say(page, "never sent");
  await expect(thread(page).getByRole("alert")).toBeVisible();
  await box(page).fill("x".repeat(100_001));
  await expectAccessible(page);
});

test("C3: in a narrow window a new conversation shows its thread, with the focus in the box", async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await page.goto("/new");
  await page.getByRole("textbox", { name: /Write as/ }).fill(`user-${randomUUID()}`);
  await page.getByRole("textbox", { name: "Your first message" }).fill("hello");
  await page.keyboard.press("Enter");
  await expect(box(page)).toBeFocused();
  await expect(thread(page)).toContainText("2 messages");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1024);
});

test.describe("in Russian", () => {
  test.use({ locale: "ru-RU" });

  test("C3: a conversation is started, and a request waits for approval", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("link", { name: "Новый диалог" }).click();
    // The choice is rendered again when the agents are loaded: an earlier click would be lost.
    await expect(() => page.getByRole("radio", { name: /^crm/ }).check({ timeout: 2_000 })).toPass();
    await page.getByRole("textbox", { name: /Писать от имени/ }).fill(`user-${randomUUID()}`);
    await page.getByRole("textbox", { name: "Первое сообщение" }).fill("измени сумму сделки 118 на 777000");
    await page.keyboard.press("Enter");
    const talk = page.getByRole("region", { name: "Диалог", exact: true });
    await expect(talk.getByRole("button", { name: "Согласовать" })).toBeVisible();
    await expect(talk.getByRole("insertion").filter({ hasText: /777\s000/ })).toBeVisible();
    await expect(talk.getByRole("textbox", { name: /^Сообщение для crm от/ })).toBeFocused();
  });
});
