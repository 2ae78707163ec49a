import { expect } from "@playwright/test";
import { expectAccessible } from "../setup/axe.ts";
import { openStudio, recordTalk } from "../setup/recorded.ts";
import { test } from "../setup/test.ts";

test("C2: a conversation is printed with messages, calls and approvals, on white in any theme", async ({ page }) => {
  const id = await recordTalk(page, "Order of lilacs", "Please change the amount");
  await page.emulateMedia({ colorScheme: "dark" });
  await openStudio(page, `/conversations/${id}`);
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Print / PDF" }).click();
  const sheet = page.getByRole("main");
  await expect(sheet.getByRole("heading", { level: 1 })).toHaveText("Order of lilacs");
  await expect(sheet).toContainText(id);
  await expect(sheet).toContainText("Please change the amount");
  await expect(sheet.getByText("done", { exact: true })).toHaveCSS("font-weight", /[67]\d\d/);
  await expect(sheet).toContainText("crm.deal.get done");
  await expect(sheet).toContainText("Approved by boris");
  await expect(sheet).toContainText("agreed by phone");
  await expect(page.locator(".transcript")).toHaveCSS("background-color", "rgb(255, 255, 255)");
  await expectAccessible(page);

  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect(sheet.getByRole("button", { name: "Print / PDF" })).toBeHidden();
  const pdf = await page.pdf({ format: "A4" });
  expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
});

test("C2: the transcript is in the reader's language; an unknown conversation has none", async ({
  page,
  context,
  baseURL,
}) => {
  await context.addCookies([{ name: "obelus-locale", value: "ru", url: baseURL ?? "" }]);
  const id = await recordTalk(page, "Сирень", "Здравствуйте");
  await page.goto(`/conversations/${id}/transcript`);
  await expect(page.getByRole("main")).toContainText("Согласовано: boris");
  await expect(page.getByRole("main")).toContainText("2 сообщения");
  await expectAccessible(page);
  expect((await page.goto("/conversations/absent/transcript"))?.status()).toBe(404);
});
