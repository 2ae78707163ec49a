import { randomUUID } from "node:crypto";
import { type APIRequestContext, expect } from "@playwright/test";
import { expectAccessible } from "../setup/axe.ts";
import { header, inspector, node, thread } from "../setup/live-run.ts";
import { sendNow, test } from "../setup/test.ts";

const place = { call_id: "update", tool: "crm.deal.update" };

async function post(request: APIRequestContext, id: string, events: [type: string, payload: object, actor?: string][]) {
  const run_id = `${id}-run`;
  const data = events.map(([type, payload, actor]) => ({ conversation_id: id, run_id, type, payload, actor }));
  expect((await request.post("/api/events", { data })).status()).toBe(201);
}

/** An external agent requests an approval. Returns the conversation's id, which is the confirmation's. */
async function ask(request: APIRequestContext): Promise<string> {
  const id = `asks-${randomUUID()}`;
  const params = { id: 7, amount: 90 };
  const action = { method: place.tool, params };
  await post(request, id, [
    ["message.created", { message_id: `${id}-1`, role: "user", content: "Ninety, please" }, "user:anna"],
    ["run.started", {}],
    ["plan.proposed", { iteration: 1, calls: [{ _tool: place.tool, _id: place.call_id, ...params }] }],
    ["call.parked", { ...place, params, confirmation_id: id }],
    ["confirmation.requested", { confirmation_id: id, key: "k", call_id: place.call_id, action }],
    ["run.waiting", {}],
  ]);
  return id;
}

const YET = "Approved, waiting for the agent";

test("a decided approval is shown as waiting for the agent everywhere, until the agent continues", async ({
  page,
  request,
}) => {
  const id = await ask(request);
  await page.goto(`/conversations/${id}?call=update&tab=call`);
  await expect(header(page)).toContainText("Waiting for approval");
  await thread(page).getByRole("button", { name: "Approve" }).click();
  await sendNow(page);
  await expect(header(page)).toContainText(YET);
  await expect(thread(page)).toContainText("Waiting for the agent.");
  await expect(thread(page)).toContainText("Approved, waiting for the agent: crm.deal.update");
  await expect(node(page, place.tool, YET)).toBeVisible();
  await expect(inspector(page)).toContainText(YET);
  for (const words of ["Waiting for approval", "Answering"]) await expect(page.getByText(words)).toHaveCount(0);
  await expectAccessible(page);

  await page.goto(`/?q=${id}`);
  const row = page.getByRole("row").filter({ has: page.locator(`a[href*="${id}"]`) });
  await expect(row).toContainText(YET);
  // A failed fetch is retried.
  let isBusy = true;
  let refusals = 0;
  await page.route("**/api/confirmations?conversation_id=*", (route) => {
    if (!isBusy) return route.continue();
    refusals += 1;
    return route.fulfill({ status: 503 });
  });
  await page.goto(`/approvals?status=approved&selected=${id}`);
  const shown = [
    page.locator(".inbox-item").filter({ has: page.locator(`a[href*="${id}"]`) }),
    page.getByRole("region", { name: "Selected approval" }),
  ];
  for (const place of shown) await expect(place).toContainText(/waiting for the agent/i);
  await expect.poll(() => refusals).toBeGreaterThan(0);

  await post(request, id, [["call.started", { ...place, params: {} }]]);
  await expect.poll(() => refusals).toBeGreaterThan(1);
  isBusy = false;
  for (const place of shown) await expect(place).not.toContainText(/waiting for the agent/i);
});

test("for a failed conversation the header shows the current status at a past step, and a link to the error", async ({
  page,
  request,
}) => {
  const id = `failed-${randomUUID()}`;
  await page.goto("/");
  await post(request, id, [
    ["message.created", { message_id: `${id}-1`, role: "user", content: "Book it" }, "user:anna"],
    ["run.started", {}],
    ["call.started", place],
    ["call.failed", { ...place, error: { code: "BUSY", message: "try later" } }],
    ["manager.alerted", { text: "help" }],
    ["conversation.handed_back", {}],
    ["run.failed", { error: "it failed" }],
  ]);
  await page.goto(`/conversations/${id}?at=2`);
  const past = page.getByRole("region", { name: "Viewing the past" });
  await expect(header(page)).toContainText("Failed");
  await expect(past).toContainText("Failed now · viewing step 2 of 7");
  await expect(past).toContainText("Then: Running");
  // The failures of the call and of its run count once; an alert is none.
  await expect(page.getByRole("button", { name: "1 error. Next error" })).toBeVisible();
  await expectAccessible(page);
  await past.getByRole("button", { name: "Go to step 4" }).click();
  await expect(past).toContainText("viewing step 4 of 7");
  await past.getByRole("button", { name: "Back to live" }).click();
  await expect(past).toHaveCount(0);
});

test("for a failed call the error is first, then the input, and the reasoning last", async ({ page, request }) => {
  const id = `why-${randomUUID()}`;
  const call = { _tool: place.tool, _id: place.call_id, _reasoningForCall: "The customer asked for it", amount: 90 };
  await post(request, id, [
    ["run.started", {}],
    ["plan.proposed", { iteration: 1, calls: [call] }],
    ["call.started", { ...place, params: { amount: 90 } }],
    ["call.failed", { ...place, error: { code: "BUSY", message: "try later" } }],
  ]);
  await page.goto(`/conversations/${id}?call=update&tab=call`);
  await expect(inspector(page)).toContainText(/try later[\s\S]*amount[\s\S]*The customer asked for it/);
});
