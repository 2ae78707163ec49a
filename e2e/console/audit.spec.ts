import { randomUUID } from "node:crypto";
import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { expectAccessible } from "./setup/axe.ts";
import { test } from "./setup/test.ts";

/** A conversation that was taken over and handed back, with an approved confirmation. */
async function record(request: APIRequestContext): Promise<string> {
  const id = `audited-${randomUUID()}`;
  const payload = { confirmation_id: `${id}-k`, key: id, action: { method: "deal.update", params: {} } };
  const asked = { id: `${id}-1`, conversation_id: id, run_id: `${id}-run`, type: "confirmation.requested", payload };
  const answers = [
    await request.post("/api/events", { data: asked }),
    await request.post(`/api/conversations/${id}/takeover`),
    await request.post(`/api/conversations/${id}/handback`),
    await request.post(`/api/confirmations/${id}-k/decision`, { data: { decision: "approve" } }),
  ];
  expect(answers.map((answer) => answer.ok())).toEqual([true, true, true, true]);
  return id;
}

const rows = (page: Page, details = "Details") =>
  page.getByRole("row").filter({ has: page.getByRole("button", { name: new RegExp(`^${details}: `) }) });

test("Security: an administrator reads the audit log, filters it, and opens the target of an entry", {
  tag: "@postgres",
}, async ({ page, request }) => {
  const id = await record(request);
  await page.goto("/admin/audit");
  await expect(page.getByRole("heading", { name: "Audit", level: 1 })).toBeVisible();
  const approved = rows(page).filter({ hasText: `${id}-k` });
  await expect(approved).toContainText("Approved");
  await expect(approved).toContainText("console");
  await expect(approved).toContainText("requested → approved");
  await expect(approved).toContainText("127.0.0.1");

  await approved.getByRole("button").click();
  await expect(page.getByRole("row", { name: "status requested approved", exact: true })).toBeVisible();
  const ofIt = page.getByRole("row", { name: /^conversation_id / }).getByRole("link", { name: id });
  await expect(ofIt).toHaveAttribute("href", `/conversations/${id}`);
  await expectAccessible(page);

  await page.getByRole("button", { name: "Action", exact: true }).click();
  await page.getByRole("menuitemradio", { name: "Took over", exact: true }).click();
  await expect(page).toHaveURL(/action=conversation\.taken_over/);
  await expect(rows(page).filter({ hasText: "Approved" })).toHaveCount(0);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export" }).click();
  expect((await download).suggestedFilename()).toMatch(/^obelus-audit-.*\.ndjson$/);
  await rows(page).getByRole("link", { name: id }).click();
  await expect(page).toHaveURL(new RegExp(`/conversations/${id}`));
});

test("Security: the audit log is navigated with the keyboard, filtered by target and dates, and is in Russian", async ({
  page,
  request,
  context,
  baseURL,
}) => {
  const id = await record(request);
  await page.goto(`/admin/audit?target=conversation:${id}`);
  await expect(rows(page)).toHaveCount(2);
  await page.keyboard.press("j");
  await expect(rows(page).first().getByRole("button")).toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(rows(page).last().getByRole("button")).toHaveAttribute("aria-expanded", "true");
  await page.getByLabel("To", { exact: true }).fill("2020-01-01");
  await expect(page.getByText("No matching entries")).toBeVisible();
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await expect(rows(page).first()).toBeVisible();

  await context.addCookies([{ name: "obelus-locale", value: "ru", url: baseURL ?? "" }]);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`/admin/audit?target=conversation:${id}`);
  await expect(page.getByRole("heading", { name: "Журнал аудита", level: 1 })).toBeVisible();
  await expect(rows(page, "Подробности").last()).toContainText("Диалог взят на себя");
  await expectAccessible(page);
});
