import { randomUUID } from "node:crypto";
import { expect, type Locator, type Page } from "@playwright/test";
import { expectAccessible } from "../setup/axe.ts";
import { test as alone } from "../setup/inbox.ts";
import { header, thread } from "../setup/live-run.ts";
import { sendNow, test, undoBar } from "../setup/test.ts";

const box = (page: Page): Locator => thread(page).getByRole("textbox", { name: /^Message/ });
const badge = (page: Page) => page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /^Approvals/ });
const alerts = (page: Page): Locator => page.getByRole("list", { name: "Open alerts, newest first" });

async function say(page: Page, text: string): Promise<void> {
  await box(page).fill(text);
  await box(page).press("Enter");
}

/** Starts a conversation with the agent and opens its studio. */
async function meet(page: Page): Promise<string> {
  const id = `takeover-${randomUUID()}`;
  const data = { id, channel: "web", user_id: `user-${id}`, agent_id: "crm", title: `Deal of ${id}` };
  expect((await page.request.post("/api/conversations", { data })).status()).toBe(201);
  await open(page, id);
  return id;
}

async function open(page: Page, id: string): Promise<void> {
  await page.goto(`/conversations/${id}`);
  await expect(thread(page).getByText("Live", { exact: true })).toBeVisible();
}

/** Records an alert. */
async function call(page: Page, conversation_id: string, text: string) {
  const data = [{ conversation_id, type: "manager.alerted", agent_id: "crm", payload: { text, reason: "refund" } }];
  const answer = await page.request.post("/api/events", { data });
  expect(answer.status(), await answer.text()).toBe(201);
}

test("D11, C3: a manager takes over from an agent with a pending approval, writes, and hands back; every window shows it, and the agent answers again", {
  tag: "@postgres",
}, async ({ page, context }) => {
  const id = await meet(page);
  const other = await context.newPage();
  await open(other, id);
  await say(page, "change the amount of deal 123 to 150000");
  await expect(header(page)).toContainText("Waiting");

  await thread(page).getByRole("button", { name: "Take over the conversation" }).click();
  const question = page.getByRole("dialog", { name: "Take over the conversation" });
  await expect(question).toContainText("The current turn is cancelled");
  await question.getByRole("button", { name: "Take over" }).click();
  for (const each of [page, other]) {
    await expect(header(each)).toContainText("Escalated");
    await expect(thread(each)).toContainText("Taken over by console, the agent does not reply");
    await expect(thread(each)).toContainText("Taken over by a manager · console");
    await expect(box(each)).toHaveAccessibleName(/^Message to .* as the manager$/);
  }
  await expect(thread(page)).toContainText("Closed without a decision");
  await expect(thread(page).getByText("I was stopped")).toHaveCount(0);
  await expect(box(page)).toBeFocused();

  await say(page, "I will see to it **myself**");
  const said = thread(other).getByRole("article").filter({ hasText: "I will see to it" });
  await expect(said).toContainText("Operator");
  await page.request.post(`/api/conversations/${id}/messages`, { data: { content: "thank you" } });
  await expect(thread(other).getByText("thank you")).toBeVisible();
  await expectAccessible(other);

  // The handback can be undone for a moment, as a decision can.
  await thread(other).getByRole("button", { name: "Hand the conversation back to the agent" }).click();
  await expect(undoBar(other)).toContainText("Hand back to the agent: Deal of");
  await thread(other).getByRole("button", { name: "Undo" }).click();
  await expect(undoBar(other)).toHaveCount(0);
  expect((await (await page.request.get(`/api/conversations/${id}`)).json()).taken_over).not.toBeNull();
  await thread(other).getByRole("button", { name: "Hand the conversation back to the agent" }).click();
  await sendNow(other);
  // Text typed afterwards is not sent in the user's name.
  await expect(other.locator("#hands")).toBeFocused();
  await expect(box(page)).toHaveAccessibleName(/^Message to crm as/);
  await expect(thread(page)).toContainText("Handed back to the agent · console");
  await say(page, "show deal 123");
  await expect(thread(page).getByRole("button", { name: "crm.deal.get" })).toBeVisible();
  await expect(header(page)).toContainText("Done");
  const { items } = await (await page.request.get(`/api/conversations/${id}/messages`)).json();
  expect(items.map(({ role }: { role: string }) => role).slice(2, 5)).toEqual(["operator", "user", "user"]);
  // In order, whoever answered.
  await expect(
    thread(page)
      .getByRole("article")
      .filter({ hasText: /I will see to it|thank you|show deal 123/ }),
  ).toHaveText([/I will see to it/, /thank you/, /show deal 123/]);
});

alone(
  "D9, C7: an alert arrives live in the inbox, leads to its step, and is taken over and closed from there",
  async ({ page }) => {
    await page.goto("/approvals");
    await page.getByRole("link", { name: /^Alerts/ }).click();
    await expect(page.getByRole("heading", { name: "No open alerts" })).toBeVisible();
    await expect(page.locator("[data-connection=live]")).toBeVisible();
    const created = { title: "Angry Anna", channel: "telegram", user_id: "anna" };
    await page.request.post("/api/conversations", { data: { id: "c", ...created } });
    await call(page, "c", "She wants her money back");
    await call(page, "d", "Nobody knows the price");
    await expect(alerts(page).getByRole("article")).toHaveCount(2);
    const first = alerts(page).getByRole("article", { name: "Angry Anna" });
    for (const words of ["She wants her money back", "refund", "anna", "crm", "Telegram", "Not taken over yet"])
      await expect(first).toContainText(words);
    await expect(badge(page)).toContainText("2 open alerts");
    await expectAccessible(page);

    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await expect(first.getByRole("link", { name: "Angry Anna" })).toBeFocused();
    await page.keyboard.press("o");
    await expect(page).toHaveURL(/\/conversations\/c\?at=2/);
    await expect(thread(page).getByRole("article").filter({ hasText: "She wants her money back" })).toBeVisible();
    await page.goBack();
    await first.getByRole("button", { name: "Take over the conversation" }).click();
    await expect(page).toHaveURL(/\/conversations\/c#write/);
    await expect(box(page)).toBeFocused();
    await expect(box(page)).toHaveAccessibleName("Message to anna as the manager");

    await page.goto("/approvals/alerts");
    await expect(first).toContainText("Taken over by console");
    await first.getByRole("button", { name: "Hand the conversation back to the agent" }).click();
    await expect(first).toContainText("Not sent yet");
    await sendNow(page);
    await expect(first).toHaveCount(0);
    await expect(alerts(page).getByRole("link", { name: "d", exact: true })).toBeFocused();
    await alerts(page).getByRole("button", { name: "Close alert" }).click();
    await sendNow(page);
    await expect(page.getByRole("heading", { name: "No open alerts" })).toBeVisible();
    await expect(badge(page)).not.toContainText("open");
    await page.getByText("All", { exact: true }).click();
    await expect(page.getByRole("article", { name: "Angry Anna" })).toContainText("Handed back by console");
  },
);
