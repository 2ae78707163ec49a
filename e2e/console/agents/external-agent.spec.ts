import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import { runAgent } from "../../exporters/run.ts";
import { QUESTIONS } from "../../exporters/shop.ts";
import { expectAccessible } from "../setup/axe.ts";
import { graph, inspector, node, thread } from "../setup/live-run.ts";
import { test } from "../setup/test.ts";

test("E15: an external agent appears in the list without a reload, and can be inspected like any other", async ({
  page,
  baseURL,
}) => {
  const id = `foreign-${randomUUID()}`;
  await page.goto("/");
  await expect(page.locator("[data-connection=live]")).toBeVisible();
  const entry = page.getByRole("table").locator(`a[href$="${id}"]`);
  await expect(entry).toHaveCount(0);

  // The page is not touched: what the agent's exporter sends appears.
  await runAgent("langgraph", baseURL ?? "", id);
  await expect(entry).toBeVisible();
  await entry.click();
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  for (const said of [...QUESTIONS, "Order A-1042 is refunded.", "Order B-2077 cannot be refunded."])
    await expect(thread(page)).toContainText(said);

  // All turns are on the map; the newest one, alone: a result, how it was used, and an error.
  await page.locator("fieldset label", { hasText: "Plan" }).click();
  await expect(node(page, "find_order", "Succeeded")).toBeVisible();
  await expect(node(page, "refund", "Failed")).toBeVisible();
  // Both calls got the order's id from the user.
  await expect(graph(page).getByRole("button", { name: "From the user's message; B-2077: → order_id" })).toHaveCount(2);
  await expect(graph(page).getByRole("button", { name: "From find_order; 38.25: total → amount" })).toBeVisible();
  const lanes = page.getByRole("table", { name: "Timeline as a table" });
  await expect(lanes.getByRole("row", { name: /^Tools/ })).toContainText("4");
  await expect(lanes.getByRole("row", { name: /^Model/ })).toContainText("6");
  await expectAccessible(page);

  await node(page, "find_order", "Succeeded").click();
  await expect(inspector(page)).toContainText("B-2077");
  await expect(inspector(page)).toContainText("C-77310");
  await node(page, "refund", "Failed").click();
  await expect(inspector(page)).toContainText("38.25");
  await expect(inspector(page)).toContainText("Order B-2077 was delivered and cannot be refunded");
});
