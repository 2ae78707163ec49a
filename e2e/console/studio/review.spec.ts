import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import { expectAccessible } from "../setup/axe.ts";
import { test } from "../setup/test.ts";

test("a conversation and a step are scored in the studio, and the list is filtered by it", async ({
  page,
  request,
}) => {
  const id = `review-${randomUUID()}`;
  const events = [
    { conversation_id: id, type: "conversation.created", payload: { title: "To review", channel: id } },
    { conversation_id: id, type: "log", payload: "one" },
  ];
  expect((await request.post("/api/events", { data: events })).status()).toBe(201);
  await page.goto(`/conversations/${id}?tab=review`);
  const panel = page.getByRole("tabpanel", { name: "Review" });
  const scores = panel.getByRole("list", { name: "All scores" });
  await panel.getByRole("button", { name: "2 of 5: Conversation" }).click();
  await expect(scores).toContainText("2 of 5");
  await panel.getByRole("textbox", { name: "Comment" }).fill("Too slow");
  await panel.getByRole("button", { name: "Save" }).click();
  await expect(scores).toContainText("Too slow");
  await panel.getByRole("group", { name: "What to score" }).getByText("Step 2", { exact: true }).click();
  await panel.getByRole("button", { name: "Thumbs down: Step 2" }).click();
  await expect(scores.getByRole("listitem")).toHaveCount(2);
  await expect(scores).toContainText("down");
  await expectAccessible(page);
  // Pressed again, it is taken back.
  await panel.getByRole("button", { name: "Thumbs down: Step 2" }).click();
  await expect(scores.getByRole("listitem")).toHaveCount(1);

  await panel.getByRole("button", { name: "Owner: Nobody" }).click();
  await page.getByRole("menuitemradio", { name: "Me" }).click();
  await expect(panel.getByRole("button", { name: "Owner: console" })).toBeVisible();

  // With the keyboard, what was pressed last keeps the focus.
  const snoozed = panel.getByRole("button", { name: "not snoozed" });
  await snoozed.press("Enter");
  await page.getByRole("menuitem").first().press("Enter");
  await expect(snoozed).toHaveCount(0);
  await expect(panel.getByRole("button", { expanded: false }).last()).toBeFocused();
  await panel.getByRole("button", { name: "Resolve" }).press("Enter");
  await expect(panel.getByRole("button", { name: "Reopen" })).toBeFocused();

  const field = panel.getByRole("textbox", { name: "Write a note" });
  await field.fill("Refunded by hand, see @con");
  await panel.getByRole("button", { name: "@console" }).click();
  await expect(field).toHaveValue("Refunded by hand, see @console ");
  await field.press("Enter");
  const notes = panel.getByRole("list", { name: "Notes" });
  await expect(notes).toContainText("Refunded by hand, see @console");
  await expect(notes.getByRole("button", { name: "Step 2" })).toBeVisible();
  await expect(field).toHaveValue("");
  await expectAccessible(page);
  await notes.getByRole("button", { name: "Remove the note" }).click();
  await expect(panel).toContainText("No notes yet.");

  await page.goto(`/?channel=${id}&score=rating%3C3`);
  await expect(page.getByRole("columnheader", { name: "Score" })).toBeVisible();
  await expect(page.getByRole("row", { name: "To review" })).toContainText("Rating: 2");
  await page.goto(`/?channel=${id}&score=rating%3E%3D4`);
  await expect(page.getByText("No matching conversations")).toBeVisible();
});
