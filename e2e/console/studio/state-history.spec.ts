import { randomUUID } from "node:crypto";
import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { expectAccessible } from "../setup/axe.ts";
import { test } from "../setup/test.ts";

const PLAN = [
  { _tool: "deal.get", _id: "get", _outputPath: "†state.deal" },
  { _tool: "policy.check", _id: "check", sum: "†state.deal.sum", _outputPath: "†state.allowed" },
];

/** One turn: a deal is read, then its amount is used. */
function turn(id: string, number: number, sum: number) {
  const steps: [string, object][] = [
    ["run.started", {}],
    ["plan.proposed", { iteration: 1, calls: PLAN }],
    ["call.started", { call_id: "get", tool: "deal.get" }],
    ["call.succeeded", { call_id: "get", tool: "deal.get", output: { id: 7, sum, title: "Tickets" } }],
    ["state.written", { path: "†state.deal", value: { id: 7, sum, title: "Tickets" }, call_id: "get" }],
    ["call.started", { call_id: "check", tool: "policy.check", params: { sum } }],
    ["state.written", { path: "†state.allowed", value: sum < 250, call_id: "check" }],
    ["run.finished", {}],
  ];
  return steps.map(([type, payload]) => ({ conversation_id: id, run_id: `${id}-${number}`, type, payload }));
}

async function record(request: APIRequestContext): Promise<string> {
  const id = `state-${randomUUID()}`;
  expect((await request.post("/api/events", { data: [...turn(id, 1, 200), ...turn(id, 2, 250)] })).status()).toBe(201);
  return id;
}

async function openAt(page: Page, id: string, query: string): Promise<void> {
  await page.goto(`/conversations/${id}${query}`);
  await expect(page.getByRole("tree")).toBeVisible();
  await expect(page.getByText("Loading the timeline…")).toHaveCount(0);
}

const playhead = (page: Page) => page.getByRole("slider").first();

test("C6: a path lists its writes and reads in the whole session, with links to their steps", {
  tag: "@postgres",
}, async ({ page, request }) => {
  const id = await record(request);
  await openAt(page, id, "?at=16");
  await page.getByRole("treeitem", { name: /^sum/ }).click();
  const history = page.getByRole("region", { name: "History" });
  await expect(history).toContainText("2 writes, 2 reads");
  const lines = history.getByRole("listitem");
  await expect(lines).toHaveCount(4);
  await expect(lines.nth(0)).toContainText("deal.get");
  await expect(lines.nth(1)).toContainText("policy.check");
  await expect(lines.nth(2)).toContainText("200 → 250");
  await expectAccessible(page);
  await lines.nth(1).getByRole("button").click();
  await expect(playhead(page)).toHaveAttribute("aria-valuenow", "6");
  await expect(lines.nth(1).getByRole("button")).toHaveAttribute("aria-current", "step");
});

test("C6: a search in the state finds keys and values, with next and previous", async ({ page, request }) => {
  const id = await record(request);
  await openAt(page, id, "?at=16");
  await page.getByRole("button", { name: "Find in the state" }).click();
  const box = page.getByRole("searchbox", { name: "Find in the state" });
  await box.fill("l");
  await expect(page.getByText("1 / 3")).toBeVisible();
  await box.press("Enter");
  await expect(page.getByText("2 / 3")).toBeVisible();
  await box.press("Shift+Enter");
  await box.press("Shift+Enter");
  await expect(page.getByText("3 / 3")).toBeVisible();
  await box.fill("tick");
  await expect(page.getByText("1 / 1")).toBeVisible();
  await expect(page.locator("[data-hit=current]")).toContainText("title");
  await expectAccessible(page);
  await box.press("Escape");
  await expect(page.locator("[data-hit]")).toHaveCount(0);
});

test("C6: two steps are compared side by side with differences marked, also from a link", async ({ page, request }) => {
  const id = await record(request);
  await openAt(page, id, "?at=8");
  await page.getByRole("button", { name: "Compare step 8 with another" }).click();
  await expect(page).toHaveURL(/with=8/);
  await page.keyboard.press("End");
  const table = page.getByRole("table", { name: "State at step 8 and at step 16" });
  await expect(table.getByRole("row", { name: /sum/ })).toContainText("200250");
  await expect(table.locator("[data-kind=change]")).toHaveCount(3);
  await expect(page.getByText("2 differences")).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Differences only").check();
  await expect(table.getByRole("row", { name: /title/ })).toHaveCount(0);
  await page.reload();
  await expect(table).toBeVisible();
  await page.getByRole("button", { name: "Stop comparing with step 8" }).click();
  await expect(page.getByRole("tree")).toBeVisible();
});
