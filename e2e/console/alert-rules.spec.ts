import { randomUUID } from "node:crypto";
import { type APIRequestContext, expect } from "@playwright/test";
import { expectAccessible } from "./setup/axe.ts";
import { test } from "./setup/test.ts";

/** A conversation of long ago, with a score of today. */
async function scored(request: APIRequestContext, name: string, value: number): Promise<string> {
  const id = `scored-${randomUUID()}`;
  const event = (type: string, payload: object, run_id: string | null) => ({
    ...{ conversation_id: id, type, payload, run_id, agent_id: "support" },
    occurred_at: "2026-01-02T03:04:05.000Z",
  });
  const events = [
    event("conversation.created", { title: `Order of ${id}` }, null),
    event("run.started", {}, "r"),
    event("run.finished", {}, "r"),
  ];
  expect((await request.post("/api/events", { data: events })).status()).toBe(201);
  expect((await request.post("/api/scores", { data: { conversation_id: id, name, value } })).status()).toBe(200);
  return id;
}

test("a rule on a score is made, fires, leads to the conversations that it counted, and is removed", async ({
  page,
  request,
}) => {
  const score = `tone-${randomUUID().slice(0, 8)}`;
  const low = await scored(request, score, 1);
  await scored(request, `${score}-of-another`, 1);

  await page.goto("/alert-rules/new");
  await page.getByLabel("Watch").selectOption("average of a score");
  await page.getByLabel("Name of the score").fill(score);
  await page.getByRole("spinbutton", { name: "Threshold" }).fill("3");
  await page.getByRole("spinbutton", { name: "With at least" }).fill("1");
  await page.getByLabel("Name", { exact: true }).fill(`Rude: ${score}`);
  await expect(page.getByRole("table", { name: "When it would have fired" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save and switch on" }).click();

  await expect(page.getByRole("heading", { name: `Rude: ${score}` })).toBeVisible();
  await expect(page.locator("#main")).toBeFocused();
  await expect(page.getByText("Firing", { exact: true })).toBeVisible();
  await page.getByRole("region", { name: "History" }).getByRole("link", { name: "Conversations" }).click();

  await expect(page).toHaveURL(new RegExp(`score=${score}`));
  await expect(page.getByRole("button", { name: /^Remove the filter: scored / })).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "Order of" })).toHaveCount(1);
  await expect(page.getByRole("row").filter({ hasText: low })).toBeVisible();

  await page.goBack();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page).toHaveURL(/\/alert-rules$/);
  await expect(page.getByRole("link", { name: `Rude: ${score}` })).toHaveCount(0);
});
