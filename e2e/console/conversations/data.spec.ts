import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import { expectAccessible } from "../setup/axe.ts";
import { test } from "../setup/test.ts";

test("Security: an erasure asks for the id twice, shows its progress, and leaves a receipt without the name", {
  tag: "@postgres",
}, async ({ page, request }) => {
  const user = `user-${randomUUID()}`;
  const conversation_id = `c-${randomUUID()}`;
  const said = { message_id: "m", role: "user", content: "Nobody shall know" };
  const event = { conversation_id, type: "message.created", actor: `user:${user}`, payload: said };
  await request.post("/api/events", { data: [{ id: randomUUID(), ...event }] });
  await page.goto("/admin/data");
  await expect(page.getByText("Conversations are kept forever")).toBeVisible();
  await page.getByRole("button", { name: "Erase…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("User id").fill(user);
  await dialog.getByLabel("Repeat the id to confirm").fill("somebody else");
  await dialog.getByRole("button", { name: "Erase permanently" }).click();
  await expect(dialog.getByText("The ids do not match.")).toBeVisible();
  await expectAccessible(page);

  await dialog.getByLabel("Repeat the id to confirm").fill(user);
  await dialog.getByRole("button", { name: "Erase permanently" }).click();
  await expect(dialog).toBeHidden();
  const row = page.getByRole("table", { name: "Erasures" }).getByRole("row").nth(1);
  await expect(row).toContainText("done");
  await expect(row).toContainText("1 conversation");
  await expect(row).not.toContainText(user);
  await expectAccessible(page);
  const { items } = await (await request.get(`/api/conversations/${conversation_id}/events`)).json();
  expect(items[0]).toMatchObject({ seq: 1, actor: "user:erased", payload: { content: "[erased]" } });
});

test("Security: the Data page is in Russian", async ({ page, context, baseURL }) => {
  await context.addCookies([{ name: "obelus-locale", value: "ru", url: baseURL ?? "" }]);
  await page.goto("/admin/data");
  await expect(page.getByRole("heading", { name: "Стирания" })).toBeVisible();
  await expect(page.getByText("Всё хранится бессрочно")).toBeVisible();
});
