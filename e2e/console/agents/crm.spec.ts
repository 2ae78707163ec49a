import { expect, type Page } from "@playwright/test";
import { decision, detail, item, openInbox, readyFor, test } from "../setup/inbox.ts";
import { header, inspector, thread } from "../setup/live-run.ts";
import { sendNow } from "../setup/test.ts";

/** A demo user starts a conversation with the CRM agent from the list. */
async function begin(page: Page, user: string, wish: string): Promise<void> {
  await page.goto("/new?agent=crm");
  await page.getByRole("textbox", { name: /Write as/ }).fill(user);
  await page.getByRole("textbox", { name: "Your first message" }).fill(wish);
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page).toHaveURL(/\/conversations\//);
}

async function say(page: Page, text: string): Promise<void> {
  await thread(page)
    .getByRole("textbox", { name: /^Message/ })
    .fill(text);
  await thread(page).getByRole("button", { name: "Send" }).click();
}

test("M5, M6, M9: a change of a deal is pending with its old and new value; once approved, the portal and the memory have it, and the run continues", async ({
  page,
}) => {
  await begin(page, "anna", "change the amount of deal 123 to 150000");
  await expect(header(page)).toContainText("Waiting for approval");
  await expect(thread(page)).toContainText("This is waiting for approval");
  const session = page.url();

  await openInbox(page);
  const what = "Change the amount of deal 123 to 150000";
  await readyFor(page, what);
  const row = detail(page).getByRole("row", { name: /Amount/ });
  await expect(row).toContainText("85,000");
  await expect(row).toContainText("150,000");
  await expect(detail(page)).toContainText("anna");
  await decision(page)
    .getByRole("button", { name: /^Approve/ })
    .click();
  await sendNow(page);
  await expect(item(page, what)).toContainText("Approved by console");

  await page.goto(session);
  await expect(thread(page)).toContainText(/Done: the amount of deal 123.* is now .*150,000/s);
  await expect(header(page)).toContainText("Done");
  await inspector(page).getByRole("tab", { name: "Memory" }).click();
  await expect(inspector(page).getByRole("region", { name: /^Done/ })).toContainText("deal 123");
  await expect(inspector(page).getByRole("region", { name: /^Objects/ })).toContainText("123");
  await expect(inspector(page).getByRole("region", { name: /^Approvals/ })).toContainText("Approved");

  // The portal's value, read by another turn.
  await say(page, "show deal 123");
  await expect(thread(page)).toContainText(/Deal 123:.*150,000/s);
});

test("M9: a change denied with a reason is reported to the agent, which says so and does not retry", async ({
  page,
  request,
}) => {
  await begin(page, "boris", "измени сумму сделки 123 на 200000");
  await expect(header(page)).toContainText("Waiting for approval");
  const session = page.url();
  await openInbox(page);
  const what = "Изменить сумму сделки 123 до 200000";
  await readyFor(page, what);
  await decision(page)
    .getByRole("textbox", { name: /Reason/ })
    .fill("Клиент не согласовал");
  await decision(page).getByRole("button", { name: "Deny" }).click();
  await sendNow(page);
  await expect(item(page, what)).toContainText("Denied by console");

  await page.goto(session);
  await expect(thread(page)).toContainText(/Мне не разрешили изменить сумму сделки 123.*Клиент не согласовал/s);
  await say(page, "спасибо");
  await expect(thread(page)).toContainText("5 messages");
  await say(page, "покажи сделку 123");
  await expect(thread(page)).toContainText(/Сделка 123:.*85\s000/s);
  const { items } = await (await request.get("/api/confirmations")).json();
  expect(items.map(({ status }: { status: string }) => status)).toEqual(["denied"]);
});
