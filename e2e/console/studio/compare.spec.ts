import { randomUUID } from "node:crypto";
import { type APIRequestContext, expect, type Locator, type Page } from "@playwright/test";
import { expectAccessible } from "../setup/axe.ts";
import { test } from "../setup/test.ts";

interface Told {
  /** The deal's id, and the amount. */
  deal: number;
  amount: number;
  /** Another call. */
  noted?: boolean;
}

/** Sends a session in which a deal is read, and returns its conversation's id. */
async function send(request: APIRequestContext, title: string, { deal, amount, noted = false }: Told): Promise<string> {
  const id = `compare-${randomUUID().slice(0, 8)}`;
  const run = `${id}-run`;
  const read = { _tool: "deal.get", _id: "read", deal, _outputPath: "†state.deal" };
  const note = { _tool: "note.add", _id: "note", text: "†state.deal", _outputPath: "†state.note" };
  const steps: [type: string, payload: object][] = [
    ["conversation.created", { title, channel: "web" }],
    ["message.created", { message_id: `${id}-1`, role: "user", content: "What is the amount of my deal?" }],
    ["run.started", { iteration: 1 }],
    ["model.responded", { model: "writer-1", provider: "p", input_tokens: noted ? 150 : 100, output_tokens: 20 }],
    ["plan.proposed", { iteration: 1, calls: noted ? [read, note] : [read] }],
    ["call.started", { call_id: "read", iteration: 1, tool: "deal.get", params: { deal, with: { notes: true } } }],
    ["call.succeeded", { call_id: "read", iteration: 1, tool: "deal.get", output: { amount, currency: "EUR" } }],
    ["state.written", { path: "†state.deal", value: { amount, currency: "EUR" }, call_id: "read" }],
    ...Array.from({ length: 12 }, (): [string, object] => ["log", { said: "still there" }]),
  ];
  if (noted)
    steps.push(
      ["call.started", { call_id: "note", iteration: 1, tool: "note.add", params: { text: amount } }],
      ["call.succeeded", { call_id: "note", iteration: 1, tool: "note.add", output: {} }],
    );
  steps.push(
    ["message.created", { message_id: `${id}-2`, role: "assistant", content: `Your deal is ${amount} euros.` }],
    ["run.finished", {}],
  );
  const events = steps.map(([type, payload], index) => ({
    conversation_id: id,
    type,
    payload,
    ...(/^(conversation|message)\./.test(type) ? {} : { run_id: run }),
    occurred_at: new Date(Date.parse("2026-11-20T09:00:00Z") + index * 1_000).toISOString(),
  }));
  const answer = await request.post("/api/events", { data: events });
  expect(answer.ok(), await answer.text()).toBe(true);
  return id;
}

/** Sends a session with only a proposed plan. */
async function sendPlan(request: APIRequestContext, title: string, calls: object[]): Promise<string> {
  const id = `compare-${randomUUID().slice(0, 8)}`;
  const run = { conversation_id: id, run_id: `${id}-run` };
  const answer = await request.post("/api/events", {
    data: [
      { conversation_id: id, type: "conversation.created", payload: { title, channel: "web" } },
      { ...run, type: "run.started", payload: { iteration: 1 } },
      { ...run, type: "plan.proposed", payload: { iteration: 1, calls } },
    ],
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  return id;
}

const panel = (page: Page): Locator => page.getByRole("tabpanel");
const tab = (page: Page, name: string): Locator => page.getByRole("tab", { name: new RegExp(`^${name}`) });

async function open(page: Page, query: string): Promise<void> {
  await page.goto(`/compare?${query}`);
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
}

test("C10: two conversations are shown side by side, with differences in messages, plan, parameters, state and tokens marked", async ({
  page,
}) => {
  const a = await send(page.request, "Deal seven", { deal: 7, amount: 250 });
  const b = await send(page.request, "Deal eight", { deal: 8, amount: 300, noted: true });
  await open(page, `a=${a}&b=${b}`);
  await expect(page.getByRole("region", { name: "First conversation" })).toContainText("Deal seven");
  await expect(page.getByRole("region", { name: "Second conversation" })).toContainText("Deal eight");
  await expect(panel(page).getByRole("row", { name: /^Calls/ })).toContainText("12+1");
  await expect(panel(page).getByRole("row", { name: /writer-1, input/ })).toContainText("100150+50");
  await expectAccessible(page);

  // From the overview it goes to the first difference.
  await page.keyboard.press("]");
  await expect(page).toHaveURL(/tab=messages/);
  await expect(panel(page).locator("[data-difference]").first()).toBeFocused();
  await tab(page, "Messages").click();
  await expect(page).toHaveURL(/tab=messages/);
  await expect(panel(page).locator("mark")).toHaveText(["250", "300"]);
  await expect(panel(page).getByRole("listitem")).toHaveCount(2);
  await panel(page).getByRole("checkbox", { name: "Differences only" }).click();
  await expect(panel(page).getByRole("listitem")).toHaveCount(1);
  await panel(page).getByRole("checkbox", { name: "Differences only" }).click();
  await expectAccessible(page);

  await page.keyboard.press("Escape");
  await tab(page, "Plan").click();
  await expect(panel(page)).toContainText("note.add");
  await expect(panel(page)).toContainText("only in the second");
  await expect(panel(page)).toContainText("read → note");
  await expect(panel(page).getByRole("row", { name: /^changed ?deal/ })).toContainText("78");
  await expectAccessible(page);

  await tab(page, "Calls").click();
  await expect(panel(page).getByRole("row", { name: /^changed ?deal/ })).toContainText("78");
  await expect(panel(page).getByRole("row", { name: /^changed ?amount/ })).toContainText("250300");
  await expect(panel(page).getByText("None")).toBeVisible();
  await expectAccessible(page);

  await tab(page, "State").click();
  await expect(panel(page).getByRole("row", { name: /deal\.amount/ })).toContainText("250300");
  await expect(panel(page)).toContainText("1 value is the same");
  await expectAccessible(page);
});

test("C10: two plans are merged into one graph with differences marked, and list and graph link to each other", async ({
  page,
}) => {
  const get = { _tool: "deal.get", _id: "get", _outputPath: "†state.deal" };
  const mail = { _tool: "mail.send", _id: "mail", to: "†state.deal.mail", _outputPath: "†state.sent" };
  const note = { _tool: "note.add", _id: "note", text: "†state.sent" };
  const a = await sendPlan(page.request, "Before", [get, mail, note]);
  const b = await sendPlan(page.request, "After", [
    get,
    { ...mail, to: "somebody" },
    { _tool: "calendar.remind", _id: "remind", when: "†state.deal.due" },
  ]);
  await open(page, `a=${a}&b=${b}&tab=plan`);
  const drawing = page.getByRole("region", { name: "Both plans as one graph" });
  const call = (name: RegExp) => drawing.getByRole("button", { name });
  await expect(call(/^mail\.send/)).toBeVisible();
  await expect(drawing.locator(".pg-mark")).toHaveText(["changed", "removed", "new"]);
  await expect(drawing).toContainText("1 new, only in the second");
  await expect(drawing).toContainText("1 removed, only in the first");
  // The edges: to the added call, to the removed one, and the one that the changed call no longer has.
  await expect(drawing.locator(".cmp-edge[data-kind=added]")).toHaveCount(1);
  await expect(drawing.locator(".cmp-edge[data-kind=removed]")).toHaveCount(2);
  await expect(drawing.getByTitle("Changed: to")).toBeVisible();
  await expectAccessible(page);

  await page.keyboard.press("]");
  await expect(page).toHaveURL(/call=mail/);
  await expect(call(/^mail\.send/)).toHaveAttribute("aria-pressed", "true");
  await call(/^mail\.send/).focus();
  await page.keyboard.press("ArrowLeft");
  await expect(call(/^deal\.get/)).toBeFocused();
  await call(/^calendar\.remind/).click();
  await expect(panel(page).getByRole("button", { name: "calendar.remind remind" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await page.reload();
  await expect(call(/^calendar\.remind/)).toHaveAttribute("aria-pressed", "true");
  expect(await page.evaluate(() => document.documentElement.scrollTop)).toBe(0);
});

test("C10: tabs are switched with arrow keys, Home and End, and only the selected one is in the tab order", async ({
  page,
}) => {
  const a = await send(page.request, "Deal seven", { deal: 7, amount: 250 });
  await open(page, `a=${a}&b=${a}`);
  await expect(panel(page)).toContainText("Both sides are the same conversation");
  await tab(page, "Overview").focus();
  await page.keyboard.press("ArrowLeft");
  await expect(tab(page, "Steps")).toBeFocused();
  await expect(panel(page)).toHaveAccessibleName("Steps");
  await page.keyboard.press("Home");
  await expect(tab(page, "Overview")).toBeFocused();
  await page.keyboard.press("End");
  await expect(tab(page, "Steps")).toHaveAttribute("aria-selected", "true");
  await expect(page.locator('[role=tab][tabindex="0"]')).toHaveCount(1);
  await expectAccessible(page);
});

test("C10: equal steps are folded, ] and [ go to the next and previous difference, and a row links to both studios", async ({
  page,
}) => {
  const a = await send(page.request, "Deal seven", { deal: 7, amount: 250 });
  const b = await send(page.request, "Deal eight", { deal: 8, amount: 300, noted: true });
  await open(page, `a=${a}&b=${b}&tab=steps`);
  await expect(panel(page).getByRole("button", { name: "8 equal steps" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("]");
  const line = panel(page).getByRole("button", { pressed: true });
  await expect(line).toContainText("Plan proposed");
  await page.keyboard.press("]");
  await expect(line).toContainText("note.add");
  await page.keyboard.press("[");
  await expect(line).toContainText("Plan proposed");
  await expect(panel(page).getByRole("link", { name: "Open the studio at step 5" })).toHaveCount(2);
  await panel(page).getByRole("button", { name: "8 equal steps" }).click();
  await expect(panel(page).getByRole("button", { name: /Log entry/ })).toHaveCount(12);

  await panel(page).getByRole("button", { name: "Compare the state here" }).click();
  await expect(page).toHaveURL(/tab=state&steps=5-5/);
  await expect(panel(page)).toContainText("State and memory are the same");
  await tab(page, "Steps").click();
  await expect(panel(page)).toContainText("Select a row");
  await page.keyboard.press("]");
  await panel(page).getByRole("link", { name: "Open the studio at step 5" }).first().click();
  await expect(page).toHaveURL(new RegExp(`/conversations/${a}\\?at=5`));
});

test("C10: a fork links to the comparison with its source, which shows the common steps", { tag: "@postgres" }, async ({
  page,
}) => {
  const source = await send(page.request, "Deal seven", { deal: 7, amount: 250 });
  const made = await page.request.post(`/api/conversations/${source}/fork`, {
    data: { at: 8, edits: [{ path: "†state.deal", value: { amount: 1, currency: "EUR" } }] },
  });
  const { id: fork } = await made.json();
  await page.goto(`/conversations/${fork}`);
  await page.getByRole("link", { name: "Compare with its source" }).click();
  await expect(page).toHaveURL(`/compare?a=${source}&b=${fork}`);
  await expect(panel(page)).toContainText("The first 8 steps are shared");
  await tab(page, "State").click();
  await expect(panel(page).getByRole("row", { name: /deal\.amount/ })).toContainText("2501");
  await tab(page, "Steps").click();
  await expect(
    panel(page)
      .getByRole("button", { name: /equal steps$/ })
      .first(),
  ).toBeVisible();
  await page.goto("/compare");
  await page
    .getByRole("list", { name: "Choose the first conversation" })
    .getByRole("button", { name: /with its source/ })
    .first()
    .click();
  await expect(page).toHaveURL(`/compare?a=${source}&b=${fork}`);
});

test("C10: conversations are chosen and swapped, and unknown ones are reported", async ({ page }) => {
  const word = `Zebra${randomUUID().slice(0, 6)}`;
  const a = await send(page.request, "Deal seven", { deal: 7, amount: 250 });
  const b = await send(page.request, word, { deal: 8, amount: 300 });
  await page.goto(`/conversations/${a}`);
  await page.getByRole("link", { name: "Compare with another conversation" }).click();
  await expect(page.getByRole("heading", { name: "Two conversations side by side" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("combobox", { name: "Choose the second conversation" }).fill(word);
  await page.getByRole("option", { name: new RegExp(word) }).click();
  await expect(page).toHaveURL(`/compare?a=${a}&b=${b}`);
  await expect(tab(page, "Messages")).toContainText("1");
  await page.getByRole("button", { name: "Swap sides" }).click();
  await expect(page).toHaveURL(`/compare?a=${b}&b=${a}`);
  await expect(page.getByRole("region", { name: "First conversation" })).toContainText(word);
  await page.goto(`/compare?a=${a}&b=nowhere`);
  await expect(page.getByRole("heading", { name: "Conversation not found" })).toBeVisible();
  await expect(page.getByRole("main")).toContainText("The second conversation in the address is not on this server");
});

test("C10: the studio shows tokens of the run and the conversation up to the step", async ({ page }) => {
  const id = await send(page.request, "Deal eight", { deal: 8, amount: 300, noted: true });
  await page.goto(`/conversations/${id}`);
  await page
    .getByRole("banner")
    .getByRole("button", { name: /^Run 1/ })
    .click();
  await expect(page.getByText("150 tokens in, 20 out")).toHaveCount(2);
  await expectAccessible(page);
  await page.goto(`/conversations/${id}?at=3`);
  await page
    .getByRole("banner")
    .getByRole("button", { name: /^Run 1/ })
    .click();
  await expect(page.getByRole("menuitemradio").first()).toBeVisible();
  await expect(page.getByText(/tokens in/)).toHaveCount(0);
});

test("C10: in Russian, in dark mode, and on a narrow screen", async ({ page, context, baseURL }) => {
  const a = await send(page.request, "Сделка семь", { deal: 7, amount: 250 });
  const b = await send(page.request, "Сделка восемь", { deal: 8, amount: 300, noted: true });
  await context.addCookies([{ name: "obelus-locale", value: "ru", url: baseURL ?? "" }]);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto(`/compare?a=${a}&b=${b}&tab=calls`);
  await expect(panel(page)).toContainText("отличается 1 параметр");
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await tab(page, "Сообщения").click();
  await expect(panel(page).locator("mark")).toHaveText(["250", "300"]);
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
