import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./setup/axe.ts";
import { test as alone } from "./setup/inbox.ts";
import { graph, node } from "./setup/live-run.ts";
import { test } from "./setup/test.ts";

const rows = (page: Page) => page.getByRole("table").locator("a[id^=conversation-]");

alone(
  "C1: a server that has nothing says how to send a first event; what it says works, and the conversation appears",
  async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto("/");
    await expect(page.locator("[data-connection=live]")).toBeVisible();
    await expect(page.getByRole("heading", { name: "No conversations yet" })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Copy" }).click();
    await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
    await expect(page.getByRole("status").filter({ hasText: "Copied" })).toHaveCount(1);
    const command = await page.evaluate(() => navigator.clipboard.readText());
    expect(command).toContain(new URL(page.url()).origin);
    // Runs a curl snippet without a shell.
    const args = await promisify(execFile)("sh", ["-c", `curl() { printf '%s\\n---\\n' "$@"; }; ${command}`]);
    const [address = "", , type = "", , data = ""] = args.stdout.split("\n---\n");
    const [name = "", value = ""] = type.split(": ");
    const answer = await page.request.post(address, { headers: { [name]: value }, data });
    expect(answer.status(), await answer.text()).toBe(201);
    await expect(rows(page)).toHaveCount(1);
    await expect(page.getByRole("heading", { name: "No conversations yet" })).toHaveCount(0);
  },
);

test("C1: stage, agent and period filter the list together, and are in the address", { tag: "@postgres" }, async ({
  page,
}) => {
  await page.goto("/");
  await expect(page.locator("[data-connection=live]")).toBeVisible();
  const choose = async (filter: string, value: string) => {
    await page.getByRole("button", { name: filter, exact: true }).click();
    await page.getByRole("menuitemradio", { name: value, exact: true }).click();
  };
  await choose("Agent", "shop-assistant");
  await expect(rows(page)).toHaveText(["Order 5521: wrong size"]);
  await choose("Period", "1 hour");
  await expect(page.getByRole("heading", { name: "No matching conversations" })).toBeVisible();
  await expect(page).toHaveURL(/agent=shop-assistant&period=1h/);
  await page.getByRole("button", { name: "Clear search and filters" }).click();
  await choose("Stage", "Administrator");
  await expect(rows(page).filter({ hasText: "Demo for the Daily Grind" })).toBeVisible();
  await expect(rows(page).filter({ hasText: "Order 5521" })).toHaveCount(0);
  await expect(page).toHaveURL(/stage=admin/);
});

test("C4: a call is found by name or path, the plan is fitted, and its mini-map is closed and opened", async ({
  page,
}) => {
  await page.goto("/conversations/demo-refund-88412");
  await expect(node(page, "orders.get", "Succeeded")).toBeVisible();
  await graph(page).getByRole("button", { name: "Find a call" }).click();
  await page.keyboard.type("payments");
  await expect(graph(page).locator("output")).toHaveText("1 of 1");
  await expect(node(page, "payments.refund", "Failed")).toBeInViewport({ ratio: 0.99 });
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("state.order.total");
  await expect(graph(page).locator("output")).toHaveText("1 of 1");
  await page.keyboard.press("Escape");
  await expect(graph(page).locator("output")).toHaveCount(0);
  await graph(page).getByRole("button", { name: "Fit", exact: true }).click();
  await expect(node(page, "orders.get", "Succeeded")).toBeInViewport({ ratio: 0.99 });
  // A call is in its corner.
  const map = graph(page).getByLabel("Map of the plan");
  await expect(map).toHaveCount(0);
  await graph(page).getByRole("button", { name: "Map and legend" }).click();
  await expect(map).toBeVisible();
  await graph(page).getByRole("button", { name: "Map and legend" }).click();
  await expect(map).toHaveCount(0);
  await graph(page).getByRole("button", { name: "Map and legend" }).click();
  await expect(map).toBeVisible();
  await expectAccessible(page);
});

test("C5: a step links to its cause and its effects", async ({ page }) => {
  await page.goto("/conversations/demo-refund-88412?at=30");
  const playhead = page.getByRole("slider", { name: "Position in the conversation" });
  await page.getByRole("button", { name: /^Go to step 29, the cause of this one/ }).click();
  await expect(playhead).toHaveAttribute("aria-valuenow", "29");
  await page.getByRole("button", { name: /^Go to step 30, caused by this one/ }).click();
  await expect(playhead).toHaveAttribute("aria-valuenow", "30");
});
