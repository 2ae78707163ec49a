import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "../setup/axe.ts";
import {
  ask,
  confirmationsOf,
  decision,
  detail,
  item,
  items,
  openInbox,
  park,
  readyFor,
  statusOf,
  inboxTest as test,
} from "../setup/inbox.ts";
import { sendNow, undoBar, waitIn } from "../setup/test.ts";

const badge = (page: Page) => page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /^Approvals/ });

test("C7: a pending approval shows values, reason and position in the plan, and approving it runs the call", {
  tag: "@postgres",
}, async ({ page, tools }) => {
  const id = await park(page, tools, { id: 7, amount: 250 });
  await openInbox(page);
  await readyFor(page, "deal.update");
  await expect(badge(page)).toContainText("1 approval pending");
  await expect(detail(page).getByRole("row", { name: /amount/ })).toContainText("250");
  await expect(detail(page)).toContainText("Anna asked for it");
  await expect(detail(page)).toContainText("the plan continues with mail.send");
  await decision(page)
    .getByRole("button", { name: /^Approve/ })
    .click();
  await sendNow(page);
  await expect(item(page, "deal.update")).toContainText("Approved by console");
  await expect.poll(() => tools.calls("mail.send")).toHaveLength(1);
  expect(tools.calls("deal.update")).toEqual([{ id: 7, amount: 250 }]);

  await page.getByRole("button", { name: "Approved" }).click();
  await expect(page).toHaveURL(/status=approved/);
  await expect(item(page, "deal.update").first()).toContainText("Approved by console");
  expect(await confirmationsOf(page, id)).toMatchObject([{ status: "approved" }]);
});

test("C7: a request that its agent changed is shown beside the previous one, and cannot be decided before it was reviewed", async ({
  page,
}) => {
  await ask(page, "Pay back", { params: { amount: 40 } });
  await openInbox(page);
  await readyFor(page, "Pay back");
  await ask(page, "Pay back", { params: { amount: 9_999 } });
  await expect(decision(page).getByRole("alert")).toContainText("The agent changed its request");
  await expect(decision(page).getByRole("region", { name: "Previous request" })).toContainText('"amount": 40');
  await expect(decision(page).getByRole("region", { name: "New request" })).toContainText('"amount": 9999');
  await expect(decision(page).getByRole("button", { name: /^Approve/ })).toBeHidden();
  await expectAccessible(page);
  await page.keyboard.press("a");
  await decision(page).getByRole("button", { name: "Review the new request" }).click();
  expect(await statusOf(page, "Pay back")).toBe("requested");
  await readyFor(page, "Pay back");
  await decision(page)
    .getByRole("button", { name: /^Approve/ })
    .click();
  await sendNow(page);
  await expect.poll(() => statusOf(page, "Pay back")).toBe("approved");
});

test("C7: a value is edited before approval, also a nested one", async ({ page, tools }) => {
  await park(page, tools, { id: 7, fields: { OPPORTUNITY: 250, STAGE_ID: "NEW" } });
  await openInbox(page);
  await readyFor(page, "deal.update");
  await decision(page).getByRole("button", { name: "Edit and approve" }).click();
  await detail(page).getByLabel("OPPORTUNITY").fill("much");
  await detail(page).getByRole("button", { name: "Approve these values" }).click();
  await expect(detail(page).getByRole("alert")).toContainText("Enter a number");
  expect(tools.calls("deal.update")).toEqual([]);
  await detail(page).getByLabel("OPPORTUNITY").fill("200");
  await detail(page).getByRole("button", { name: "Approve these values" }).click();
  await sendNow(page);
  await expect
    .poll(() => tools.calls("deal.update"))
    .toEqual([{ id: 7, fields: { OPPORTUNITY: 200, STAGE_ID: "NEW" } }]);
  // The agent has not requested these values.
  await page.goto("/approvals?status=approved");
  await expect(detail(page)).toContainText("Full approved request");
});

test("C7: typed input is kept while another approval is shown, and unchanged values are no edit", async ({ page }) => {
  for (const name of ["Left", "Other"]) await ask(page, name, { params: { amount: 1 } });
  await openInbox(page);
  await readyFor(page, "Left");
  await decision(page)
    .getByRole("textbox", { name: /Reason/ })
    .fill("Half a sen");
  await decision(page).getByRole("button", { name: "Edit and approve" }).click();
  await detail(page).getByLabel("amount").fill("120");
  await item(page, "Other").getByRole("link").click();
  await readyFor(page, "Other");
  await expect(decision(page).getByRole("textbox", { name: /Reason/ })).toHaveValue("");
  await item(page, "Left").getByRole("link").click();
  await expect(detail(page).getByLabel("amount")).toHaveValue("120");
  await detail(page).getByLabel("amount").fill("1");
  await detail(page).getByRole("button", { name: "Back" }).click();
  await expect(decision(page).getByRole("textbox", { name: /Reason/ })).toHaveValue("Half a sen");
  await decision(page).getByRole("button", { name: "Edit and approve" }).click();
  await detail(page).getByRole("button", { name: "Approve these values" }).click();
  await expect(undoBar(page)).not.toContainText("new values");
  await sendNow(page);
  expect(await statusOf(page, "Left")).toBe("approved");
});

test("C7: a denial gives its reason to the agent, and the history has who denied it, when and why", async ({
  page,
  tools,
}) => {
  const id = await park(page, tools, { amount: 250 });
  await openInbox(page);
  await readyFor(page, "deal.update");
  await decision(page)
    .getByRole("textbox", { name: /Reason/ })
    .fill("Not this quarter");
  await decision(page).getByRole("button", { name: "Deny" }).click();
  await sendNow(page);
  await expect(item(page, "deal.update")).toContainText("Denied by console");
  expect(await confirmationsOf(page, id)).toMatchObject([{ status: "denied", reason: "Not this quarter" }]);
  await page.getByRole("button", { name: "Denied" }).click();
  await expect(detail(page).getByRole("status").first()).toContainText("Not this quarter");
  expect(tools.calls("deal.update")).toEqual([]);
});

test("C7: an approval links to its conversation at its step and call", async ({ page, tools }) => {
  const id = await park(page, tools, { amount: 250 });
  const [asked] = await confirmationsOf(page, id);
  await openInbox(page);
  await detail(page)
    .getByRole("link", { name: /^Open at step/ })
    .click();
  await expect(page).toHaveURL(new RegExp(`/conversations/${id}.*at=${asked?.requested_seq}.*call=update`));
  await expect(
    page.getByRole("region", { name: "Inspector" }).getByRole("heading", { name: "deal.update" }),
  ).toBeVisible();
});

test("C7: oldest first, with old values, and overdue after a day", async ({ page }) => {
  await ask(page, "Raise deal 1842", {
    hoursAgo: 27,
    params: { id: 1842, fields: { OPPORTUNITY: 1_450_000 } },
    before: { OPPORTUNITY: "1180000.00" },
  });
  await ask(page, "Move task 9271", { hoursAgo: 2 });
  await openInbox(page);
  await expect(items(page)).toHaveText(["Raise deal 1842", "Move task 9271"]);
  await expect(page.getByRole("listitem").first()).toContainText("Overdue");
  await expect(item(page, "Raise deal 1842")).toContainText("1 d 3 h");
  await expect(item(page, "Raise deal 1842")).toContainText("1,180,000 → 1,450,000");
  await expect(detail(page)).toContainText("Overdue: pending 1 d 3 h");
  await expect(detail(page)).toContainText("check the values before you approve");
  await expect(detail(page).getByRole("row", { name: /Amount/ })).toContainText("+22.9%");
  await item(page, "Move task 9271").getByRole("link").click();
  await expect(detail(page)).toContainText("overdue in 21 h");
  await expect(page).toHaveURL(/selected=Move\+task\+9271/);
  await page.reload();
  await expect(detail(page).getByRole("heading", { name: "Move task 9271" })).toBeVisible();
});

test("C7: when two operators decide the same approval, both see who was first, and the second decision has no effect", {
  tag: "@postgres",
}, async ({ page, browser, baseURL }) => {
  await ask(page, "Close deal 1");
  await ask(page, "Close deal 2");
  const other = waitIn(await browser.newPage({ baseURL }));
  await openInbox(page);
  await openInbox(other);
  await readyFor(page, "Close deal 1");
  await readyFor(other, "Close deal 1");

  // Live: a decision updates the other operator's page, and keeps its selection and focus.
  await decision(other)
    .getByRole("textbox", { name: /Reason/ })
    .focus();
  await decision(page)
    .getByRole("button", { name: /^Approve/ })
    .click();
  await sendNow(page);
  await expect(item(other, "Close deal 1")).toContainText("Approved by console");
  await expect(decision(other)).toHaveCount(0);
  await expect(detail(other).getByRole("heading", { name: "Close deal 1" })).toBeFocused();

  // At the same time: the second decision is being sent when the first is accepted.
  await item(other, "Close deal 2").getByRole("link").click();
  await readyFor(other, "Close deal 2");
  await readyFor(page, "Close deal 2");
  await other.route("**/api/confirmations/decisions", async (route) => {
    await decision(page)
      .getByRole("textbox", { name: /Reason/ })
      .fill("I was first");
    await decision(page).getByRole("button", { name: "Deny" }).click();
    await sendNow(page);
    await expect(item(page, "Close deal 2")).toContainText("Denied by console");
    await route.continue();
  });
  await decision(other)
    .getByRole("button", { name: /^Approve/ })
    .click();
  await undoBar(other).getByRole("button", { name: "Send now" }).click();
  await expect(undoBar(other)).toContainText("Already denied by console");
  await expect(detail(other)).toContainText("Denied by console");
  await expect(detail(other)).toContainText("I was first");
  await expect(detail(other)).toContainText("Someone else decided first: your decision had no effect.");
  expect(await statusOf(page, "Close deal 2")).toBe("denied");
  await other.close();
});

test("C7: values edited too late report who was first", async ({ page }) => {
  await ask(page, "Edit me", { params: { amount: 1 } });
  await openInbox(page);
  await readyFor(page, "Edit me");
  await page.route("**/api/confirmations/*/decision", async (route) => {
    await page.request.post("/api/confirmations/decisions", { data: { ids: ["Edit me"], decision: "deny" } });
    await route.continue();
  });
  await decision(page).getByRole("button", { name: "Edit and approve" }).click();
  await detail(page).getByLabel("amount").fill("2");
  await detail(page).getByRole("button", { name: "Approve these values" }).click();
  await undoBar(page).getByRole("button", { name: "Send now" }).click();
  await expect(detail(page)).toContainText("Denied by console");
  await expect(detail(page)).toContainText("Someone else decided first: your decision had no effect.");
  await expect(detail(page).getByLabel("amount")).toHaveCount(0);
});

test("C7: an approval decided elsewhere shows the decision in place and then leaves the list", async ({ page }) => {
  await ask(page, "Stays");
  await ask(page, "Goes");
  await openInbox(page);
  await readyFor(page, "Stays");
  await page.request.post("/api/confirmations/Goes/decision", { data: { decision: "deny", reason: "Not now" } });
  await expect(item(page, "Goes")).toContainText("Denied by console");
  await expect(item(page, "Goes")).toContainText("Not now");
  await expect(items(page)).toHaveText(["Stays"]);
  await expect(badge(page)).toContainText("1 approval pending");
  await expect(detail(page).getByRole("heading", { name: "Stays" })).toBeVisible();
});

test("C7: a new request is last and moves nothing on screen", async ({ page }) => {
  for (let n = 1; n <= 20; n += 1) await ask(page, `Waiting ${n}`);
  await openInbox(page);
  await readyFor(page, "Waiting 1");
  await decision(page)
    .getByRole("textbox", { name: /Reason/ })
    .fill("Half a sentence");
  const place = await item(page, "Waiting 2").boundingBox();
  await ask(page, "Breaking news");
  const pill = page.getByRole("button", { name: "1 new" });
  await expect(pill).toBeVisible();
  await expect(badge(page)).toContainText("21 approvals pending");
  expect(await item(page, "Waiting 2").boundingBox()).toEqual(place);
  await expect(decision(page).getByRole("textbox", { name: /Reason/ })).toBeFocused();
  await expect(decision(page).getByRole("textbox", { name: /Reason/ })).toHaveValue("Half a sentence");
  await pill.click();
  await expect(item(page, "Breaking news")).toBeInViewport();
  await expect(pill).toHaveCount(0);
});

test("C7: several approvals are decided at once, and failed ones are reported one by one", {
  tag: "@postgres",
}, async ({ page }) => {
  for (const name of ["One", "Two", "Three", "Four"]) await ask(page, name);
  await openInbox(page);
  await page.getByRole("checkbox", { name: "Select all 4 shown" }).check();
  await page.getByRole("checkbox", { name: "Select: Four" }).uncheck();
  await page.route("**/api/confirmations/decisions", async (route) => {
    await page.request.post("/api/confirmations/Two/decision", { data: { decision: "deny" } });
    await page.request.post("/api/confirmations/Three/decision", { data: { decision: "approve" } });
    await route.continue();
  });
  await page.getByRole("button", { name: "Approve 3" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("listitem")).toHaveText([/^One/, /^Two/, /^Three/]);
  expect(await statusOf(page, "One")).toBe("requested");
  await dialog.getByRole("button", { name: "Approve 3" }).click();
  await expect(dialog).toHaveCount(0);
  await undoBar(page).getByRole("button", { name: "Send now" }).click();
  await expect(undoBar(page)).toContainText("2 of 3 were not decided as requested");
  await expect(undoBar(page).getByRole("listitem")).toHaveText([
    /^Two.*Already denied by console/,
    /^Three.*Already approved by console/,
  ]);
  await undoBar(page).getByRole("button", { name: "Close" }).click();
  expect(await statusOf(page, "One")).toBe("approved");
  expect(await statusOf(page, "Four")).toBe("requested");
  await expect(items(page)).toHaveText(["Four"]);
  await readyFor(page, "Four");
});

test("C7: the inbox is operated with the keyboard, and shortcuts are inactive while typing", async ({ page }) => {
  for (const name of ["Alpha", "Bravo", "Charlie", "Delta", "Echo"]) await ask(page, name, { params: { amount: 1 } });
  await openInbox(page);
  await readyFor(page, "Alpha");
  await page.keyboard.press("j");
  await expect(item(page, "Bravo").getByRole("link")).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await readyFor(page, "Alpha");

  await page.keyboard.press("a");
  await expect(item(page, "Bravo").getByRole("link")).toBeFocused();
  expect(await statusOf(page, "Alpha")).toBe("requested");
  await sendNow(page);
  expect(await statusOf(page, "Alpha")).toBe("approved");

  // In the reason field letters are text; Escape cancels without a decision.
  await readyFor(page, "Bravo");
  await page.keyboard.press("d");
  await page.keyboard.type("a bad deal, xerox");
  await page.keyboard.press("Escape");
  await expect(item(page, "Bravo").getByRole("link")).toBeFocused();
  expect(await statusOf(page, "Bravo")).toBe("requested");
  await page.keyboard.press("d");
  await page.keyboard.press("Enter");
  await expect(item(page, "Charlie").getByRole("link")).toBeFocused();
  await sendNow(page);
  expect(await confirmationsOf(page, "about Bravo")).toMatchObject([{ status: "denied", reason: "a bad deal, xerox" }]);

  await readyFor(page, "Charlie");
  await page.keyboard.press("e");
  await expect(detail(page).getByLabel("amount")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(detail(page).getByRole("heading", { name: "Charlie" })).toBeFocused();
  await page.keyboard.press("e");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("2");
  await page.keyboard.press("Enter");
  await sendNow(page);
  await expect(item(page, "Delta").getByRole("link")).toBeFocused();
  expect(await confirmationsOf(page, "about Charlie")).toMatchObject([
    { status: "approved", action: { params: { amount: 2 } } },
  ]);

  await page.keyboard.press("Enter");
  await expect(detail(page).getByRole("heading", { name: "Delta" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(item(page, "Delta").getByRole("link")).toBeFocused();
  await page.keyboard.press("x");
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.keyboard.press("d");
  await page.keyboard.type("All of it");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await sendNow(page);
  expect(await confirmationsOf(page, "about Echo")).toMatchObject([{ status: "denied", reason: "All of it" }]);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toContainText("deny, with a reason");
});

test("C7: a held or repeated key decides only one approval", async ({ page }) => {
  for (const name of ["First", "Second", "Third"]) await ask(page, name);
  await openInbox(page);
  await readyFor(page, "First");
  await page.keyboard.down("a");
  await expect(item(page, "Second").getByRole("link")).toBeFocused();
  await page.keyboard.down("a");
  await page.keyboard.up("a");
  await readyFor(page, "Second");
  expect(await statusOf(page, "Second")).toBe("requested");
});

test("C7: text typed while the palette loads goes to the palette, and decides nothing", async ({ page }) => {
  for (const name of ["Sum", "Other"]) await ask(page, name);
  await openInbox(page);
  await readyFor(page, "Sum");
  const loaded = Promise.withResolvers<void>();
  await page.route("**/_next/static/chunks/**", async (route) => {
    await loaded.promise;
    await route.continue();
  });
  await page.keyboard.press("Control+k");
  await page.keyboard.type("audad");
  await page.keyboard.press("Backspace");
  expect(await statusOf(page, "Sum")).toBe("requested");
  await expect(undoBar(page)).toHaveCount(0);
  loaded.resolve();
  const field = page.getByRole("dialog", { name: "Commands" }).getByRole("combobox");
  await expect(field).toHaveValue("auda");
  await expect(field).toBeFocused();
  await page.keyboard.type("d");
  await expect(field).toHaveValue("audad");
  await expect(undoBar(page)).toHaveCount(0);
});

test("C7: a decision is not sent while it can be undone, on any page, and never from a closed tab", async ({
  page,
}) => {
  await ask(page, "Raise it", { params: { id: 7, fields: { OPPORTUNITY: 120_000 } }, before: { OPPORTUNITY: 99_000 } });
  await ask(page, "Leave it");
  await page.clock.install();
  await openInbox(page);
  await page.clock.runFor(600);
  await readyFor(page, "Raise it");
  await page.keyboard.press("a");
  await expect(undoBar(page)).toContainText("Approve: Amount 99,000 → 120,000");
  await expect(undoBar(page)).toContainText("Sends in 5 s");
  await expect(item(page, "Raise it")).toContainText("Not sent yet");
  await page.keyboard.press("z");
  await expect(undoBar(page)).toHaveCount(0);
  await expect(item(page, "Raise it").getByRole("link")).toBeFocused();

  // The newest of several is on top, and is the one that Z undoes; the list ends above them.
  await page.clock.runFor(600);
  await page.keyboard.press("a");
  await readyFor(page, "Leave it");
  await page.clock.runFor(600);
  await page.keyboard.press("a");
  await expect(undoBar(page)).toContainText(/Leave it[\s\S]*Z[\s\S]*99,000 → 120,000/);
  await expect(undoBar(page).getByText("Z", { exact: true })).toHaveCount(1);
  await expect(undoBar(page).getByRole("button", { name: "Send now" })).toHaveCount(2);
  const bar = await undoBar(page).boundingBox();
  const list = await page
    .getByRole("list", { name: /^Pending/ })
    .locator("..")
    .boundingBox();
  expect((list?.y ?? 0) + (list?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
  await page.keyboard.press("z");
  await expect(undoBar(page)).not.toContainText("Leave it");
  await page.keyboard.press("z");
  await expect(undoBar(page)).toHaveCount(0);

  // It is kept across navigation in the console.
  await page.clock.runFor(600);
  await page.keyboard.press("a");
  await expect(undoBar(page)).toBeVisible();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Conversations" }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect(undoBar(page)).toContainText("99,000 → 120,000");
  // Hovering it pauses the time.
  await undoBar(page).hover();
  await page.clock.runFor(10_000);
  await expect(undoBar(page)).toContainText("Paused");
  expect(await statusOf(page, "Raise it")).toBe("requested");
  const asked = page.waitForEvent("dialog");
  const closing = page.close({ runBeforeUnload: true });
  await (await asked).dismiss();
  await closing;
  await page.mouse.move(900, 300);
  // Another operator is faster.
  await page.request.post("/api/confirmations/decisions", { data: { ids: ["Raise it"], decision: "deny" } });
  await page.clock.runFor(1_000);
  await expect(undoBar(page)).toContainText("someone else has already decided");
  await undoBar(page).getByRole("button", { name: "Close" }).click();
  expect(await confirmationsOf(page, "about Raise it")).toMatchObject([{ status: "denied" }]);

  // It is sent when its time is over.
  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: /^Approvals/ })
    .click();
  await expect(detail(page).getByRole("heading", { name: "Leave it" })).toBeVisible();
  await page.clock.runFor(600);
  await page.keyboard.press("a");
  await expect(undoBar(page)).toBeVisible();
  await page.mouse.move(900, 300);
  await page.clock.runFor(5_400);
  await expect.poll(() => statusOf(page, "Leave it")).toBe("approved");
});

test("C7: navigating while a decision is being sent keeps the selection", async ({ page }) => {
  for (const name of ["Early", "Middle", "Late"]) await ask(page, name);
  await openInbox(page);
  await readyFor(page, "Early");
  const answered = Promise.withResolvers<void>();
  await page.route("**/api/confirmations/decisions", async (route) => {
    await answered.promise;
    await route.continue();
  });
  await page.keyboard.press("a");
  await undoBar(page).getByRole("button", { name: "Send now" }).click();
  await item(page, "Middle").getByRole("link").focus();
  await page.keyboard.press("End");
  await expect(detail(page).getByRole("heading", { name: "Late" })).toBeVisible();
  answered.resolve();
  await expect(item(page, "Early")).toContainText("Approved by console");
  await expect(item(page, "Late").getByRole("link")).toBeFocused();
  await readyFor(page, "Late");
});

test("C7: an interrupted call is not run again by mistake, and its result can be recorded", async ({ page }) => {
  await ask(page, "Pay 250", { cause: "interrupted" });
  await openInbox(page);
  await expect(detail(page)).toContainText("the outcome is unknown");
  await page.keyboard.press("a");
  await expect(decision(page).getByRole("button", { name: "Run again" })).toBeFocused();
  expect(await statusOf(page, "Pay 250")).toBe("requested");
  await page.keyboard.press("e");
  await page.keyboard.type('{ "number": 17 }');
  await detail(page).getByRole("button", { name: "Record this result" }).click();
  await sendNow(page);
  await expect.poll(() => statusOf(page, "Pay 250")).toBe("approved");
  const query = new URLSearchParams({ type: "confirmation.approved" });
  const events = await page.request.get(`/api/conversations/about%20Pay%20250/events?${query}`);
  expect((await events.json()).items).toMatchObject([{ payload: { result: { number: 17 } } }]);
});

test("C7: large parameters are loaded on request", async ({ page }) => {
  await ask(page, "A large batch", { params: { text: "x".repeat(20_000), last: "the end" } });
  await openInbox(page);
  await expect(detail(page)).not.toContainText("the end");
  await detail(page).getByRole("button", { name: /load/ }).click();
  await expect(detail(page)).toContainText("the end");
});

test("C7: the address of a decided approval shows the decision; an unknown id is reported", async ({ page }) => {
  await ask(page, "Settled");
  await page.request.post("/api/confirmations/Settled/decision", { data: { decision: "approve", reason: "Eligible" } });
  await openInbox(page, "?selected=Settled");
  await expect(detail(page)).toContainText("Approved by console");
  await expect(detail(page)).toContainText("Eligible");
  await openInbox(page, "?selected=nothing");
  await expect(page.getByRole("heading", { name: "Not in this list" })).toBeVisible();
  await page.getByRole("button", { name: "Show the list" }).click();
  await expect(page.getByRole("heading", { name: "No approvals pending" })).toBeVisible();
});

test("C7: long lists load pages while scrolling, each approval once", { tag: "@postgres" }, async ({ page }) => {
  await Promise.all(Array.from({ length: 70 }, (_, n) => ask(page, `Bulk ${n}`)));
  await openInbox(page);
  const status = page.getByRole("contentinfo").getByRole("status");
  await expect(status).toHaveText("50 of 70");
  await expect(async () => {
    await page.keyboard.press("End");
    await expect(status).toHaveText("70 of 70", { timeout: 1_000 });
  }).toPass();
  await page.keyboard.press("End");
  await expect(detail(page)).toContainText("70 / 70");
});

test("C12: an empty inbox explains itself, and fills without a reload", async ({ page }) => {
  await openInbox(page);
  await expect(page.getByRole("heading", { name: "No approvals pending" })).toBeVisible();
  await ask(page, "The first");
  await readyFor(page, "The first");
});

test("C12: errors of loading and sending are shown, and can be retried", async ({ page }) => {
  await ask(page, "Here");
  await ask(page, "Gone");
  await page.request.post("/api/confirmations/Gone/decision", { data: { decision: "deny" } });
  await openInbox(page);
  await readyFor(page, "Here");
  const problem = { type: "about:blank", title: "Conflict", status: 409, code: "conflict", detail: "Not now." };
  await page.route("**/api/confirmations?*", (route) => route.fulfill({ status: 409, json: problem }));
  await page.getByRole("button", { name: "Denied" }).click();
  await expect(page.getByRole("heading", { name: "Could not load approvals" })).toBeVisible();
  await page.unroute("**/api/confirmations?*");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(items(page).filter({ hasText: "Gone" })).toBeVisible();

  await page.getByRole("button", { name: /^Pending/ }).click();
  await readyFor(page, "Here");
  await page.route("**/api/confirmations/decisions", (route) => route.abort());
  await decision(page)
    .getByRole("button", { name: /^Approve/ })
    .click();
  await undoBar(page).getByRole("button", { name: "Send now" }).click();
  await expect(undoBar(page).getByRole("alert")).toContainText("Nothing was decided");
  await readyFor(page, "Here");
  await page.unroute("**/api/confirmations/decisions");
  await undoBar(page).getByRole("button", { name: "Try again" }).click();
  await expect(item(page, "Here")).toContainText("Approved by console");
});

test("C7: on a phone the list and the details are separate screens", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const fields = { OPPORTUNITY: 123_456_789_012.5, TITLE: "Высокопревосходительнейшее".repeat(3) };
  await ask(page, "Pocket size", { params: { id: 7, fields }, before: { OPPORTUNITY: 99_999_999_999.5 } });
  await openInbox(page);
  await expect(detail(page)).toBeHidden();
  await item(page, "Pocket size").getByRole("link").click();
  await readyFor(page, "Pocket size");
  await expect(items(page)).toBeHidden();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  // An amount fits one line, and buttons are large: the primary action is widest and lowest.
  const amount = detail(page).getByText("123,456,789,012.5", { exact: true });
  expect(await amount.evaluate((one) => one.getClientRects().length)).toBe(1);
  const [approve, deny] = await Promise.all(
    [/^Approve/, /^Deny/].map((name) => decision(page).getByRole("button", { name }).boundingBox()),
  );
  expect(approve?.width).toBeGreaterThan(340);
  expect(approve?.height).toBeGreaterThanOrEqual(54);
  expect(deny?.height).toBeGreaterThanOrEqual(44);
  expect(approve?.y).toBeGreaterThan((deny?.y ?? 0) + (deny?.height ?? 0));
  await decision(page).getByRole("button", { name: "Deny" }).click();
  await expect(decision(page).getByRole("textbox", { name: /Reason/ })).toBeFocused();
  await decision(page).getByRole("button", { name: "Back" }).click();
  await decision(page)
    .getByRole("button", { name: /^Approve/ })
    .click();
  for (const name of ["Send now", "Undo"]) {
    const button = await undoBar(page).getByRole("button", { name }).boundingBox();
    expect(button?.height).toBeGreaterThanOrEqual(44);
  }
  await expect(undoBar(page)).toContainText("99,999,999,999.5 → 123,456,789,012.5");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await expectAccessible(page);
  await undoBar(page).getByRole("button", { name: "Undo" }).click();
  expect(await statusOf(page, "Pocket size")).toBe("requested");
  await page.getByRole("button", { name: "Back to the list" }).click();
  await expect(item(page, "Pocket size").getByRole("link")).toBeFocused();
});

test("C7: axe reports nothing in the inbox", async ({ page, context, baseURL }) => {
  const params = { id: 1842, fields: { OPPORTUNITY: 1_450_000, TITLE: "Servers" } };
  await ask(page, "Raise", { hoursAgo: 27, params, before: { OPPORTUNITY: 1_180_000 }, user: "Anna" });
  await ask(page, "Pay", { cause: "interrupted", params: { amount: 1 } });
  await ask(page, "Decided");
  await openInbox(page);
  await expectAccessible(page);
  await page.request.post("/api/confirmations/Decided/decision", { data: { decision: "deny", reason: "No" } });
  await readyFor(page, "Raise");
  await page.keyboard.press("j");
  await readyFor(page, "crm.deal.update");
  await page.keyboard.press("e");
  await expect(detail(page).getByRole("button", { name: "Record this result" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.keyboard.press("k");
  await readyFor(page, "Raise");
  await page.keyboard.press("e");
  await expect(detail(page).getByRole("button", { name: "Approve these values" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.keyboard.press("x");
  await expect(page.getByRole("button", { name: "Approve 1" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("d");
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessible(page);
  await context.addCookies([{ name: "obelus-locale", value: "ru", url: baseURL ?? "" }]);
  await page.setViewportSize({ width: 1024, height: 800 });
  await openInbox(page, "?status=denied");
  await expect(items(page).filter({ hasText: "Decided" })).toBeVisible();
  await expectAccessible(page);
});
