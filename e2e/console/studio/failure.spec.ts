import { randomUUID } from "node:crypto";
import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { expectAccessible } from "../setup/axe.ts";
import { header } from "../setup/live-run.ts";
import { test } from "../setup/test.ts";

type Step = [type: string, run: string, payload: object];

const asks = (run: string, call_id: string, tool: string, params: object): Step => [
  "call.started",
  run,
  { call_id, tool, params },
];
const gets = (run: string, call_id: string, tool: string, output: unknown): Step => [
  "call.succeeded",
  run,
  { call_id, tool, output },
];
const says = (run: string, role: string, content: string): Step => [
  "message.created",
  run,
  { message_id: randomUUID(), role, content },
];

/** An imported chat: the booking fails in the second turn because of a sum, and succeeds in the third. */
function booking(tool: string): Step[] {
  return [
    says("", "user", "I am ivan_muller_7015, book me a flight"),
    ["run.started", "one", {}],
    asks("one", "find", "find_flights", { user: "ivan_muller_7015" }),
    gets("one", "find", "find_flights", [{ price: 158 }, { price: 141 }]),
    ["run.finished", "one", {}],
    says("", "user", "Yes, please"),
    ["run.started", "two", {}],
    asks("two", "sum", "calculate", { expression: "158 + 141" }),
    gets("two", "sum", "calculate", "299"),
    asks("two", "book", tool, { user_id: "ivan_muller_7015", payment: { amount: 299 }, insurance: "no" }),
    [
      "call.failed",
      "two",
      { call_id: "book", tool, error: { code: "refused", message: "total price is 375, but paid 299" } },
    ],
    says("two", "assistant", "There were 76 more in fees."),
    ["run.finished", "two", {}],
    says("", "user", "All right"),
    ["run.started", "three", {}],
    asks("three", "again", tool, { payment: { amount: 375 } }),
    gets("three", "again", tool, "HATHAT"),
    ["run.finished", "three", {}],
  ];
}

async function record(request: APIRequestContext, steps: Step[]): Promise<string> {
  const id = `failure-${randomUUID()}`;
  const data = steps.map(([type, run, payload]) => ({
    conversation_id: id,
    type,
    ...(run !== "" && { run_id: `${id}-${run}` }),
    payload,
  }));
  const answer = await request.post("/api/events", { data });
  expect(answer.status(), await answer.text()).toBe(201);
  return id;
}

const card = (page: Page) => page.getByRole("dialog");
const row = (page: Page, id: string) => page.getByRole("row").filter({ has: page.locator(`a[href*="${id}"]`) });

test("C2a: from the list, the card traces a wrong value to its source, and leads there", async ({ page, request }) => {
  const tool = `book_${randomUUID().slice(0, 8)}`;
  const other = await record(request, booking(tool));
  const id = await record(request, booking(tool));
  await page.goto(`/?q=${id}`);
  await row(page, id).getByRole("link", { name: "1 failure: explain the newest" }).click();

  await expect(card(page).getByRole("heading", { name: `${tool} failed` })).toBeVisible();
  await expect(card(page)).toContainText("run 2 · step 11");
  await expect(card(page)).toContainText("total price is 375, but paid 299");
  const answer = (question: string) =>
    card(page)
      .locator("dl > div")
      .filter({ has: page.getByText(question, { exact: true }) });
  await expect(answer("Why 299")).toContainText("find_flights");
  await expect(answer("Why 299")).toContainText(/158.*141.*calculate.*9.*299.*payment\.amount/);
  await expect(answer("Other inputs")).toContainText(/user_id.*ivan_muller_7015.*User.*1/);
  await expect(answer("Other inputs")).toContainText(/insurance.*no.*no source found/);
  await expect(answer("What it stopped")).toContainText("Run 2 continued and finished.");
  await expect(answer("Then the agent said")).toContainText("There were 76 more in fees.");
  await expect(answer("Did it recover")).toContainText(/Yes, in run 3:.*step 17/);
  await expect(answer("Seen elsewhere")).toContainText("2 times in 2 conversations");
  await expect(answer("Seen elsewhere").getByRole("link")).toHaveAttribute(
    "href",
    `/conversations/${other}?failure=11`,
  );
  await expectAccessible(page);

  // The source of the wrong value, in two clicks from the list.
  await answer("Why 299")
    .getByRole("button", { name: /^calculate/ })
    .click();
  await expect(card(page)).toHaveCount(0);
  await expect(page).toHaveURL(/call=sum/);
  await expect(page).not.toHaveURL(/failure=/);
  await page.goBack();
  await expect(card(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(card(page)).toHaveCount(0);
});

test("C2a: the card opens from the header, the run menu and the failed call, for the failure that is meant", async ({
  page,
  request,
}) => {
  const tool = `pay_${randomUUID().slice(0, 8)}`;
  const id = await record(request, [
    ["run.started", "one", {}],
    asks("one", "a", tool, { amount: 12 }),
    ["call.failed", "one", { call_id: "a", tool, error: { code: "limit", message: "the first" } }],
    ["run.finished", "one", {}],
    says("", "user", "Again, please"),
    ["run.started", "two", {}],
    asks("two", "b", tool, { amount: 13 }),
    ["call.failed", "two", { call_id: "b", tool, error: { code: "limit", message: "the second" } }],
    ["run.failed", "two", { error: "gave up" }],
  ]);
  await page.goto(`/conversations/${id}`);
  await header(page).getByRole("button", { name: "2 failures: explain the newest" }).click();
  await expect(card(page)).toContainText("the second");
  await card(page).getByRole("button", { name: "Previous failure" }).click();
  await expect(card(page)).toContainText("the first");
  await expect(card(page).getByRole("button", { name: "Previous failure" })).toBeDisabled();
  await expect(page).toHaveURL(/failure=3/);
  await card(page).getByRole("button", { name: "Show in the studio" }).click();
  await expect(page).toHaveURL(/at=3/);

  await header(page)
    .getByRole("button", { name: /^Run \d of 2/ })
    .click();
  const menu = page.getByRole("menu");
  await expect(menu.getByRole("menuitemradio", { name: /Run 1.*1 call/ })).toBeVisible();
  await menu.getByRole("menuitem", { name: "Explain the failure at step 3" }).click();
  await expect(card(page)).toContainText("the first");
  await card(page).getByRole("button", { name: "Close" }).click();

  await page.goto(`/conversations/${id}?call=b&tab=call`);
  await page.getByRole("button", { name: "Explain the failure at step 8" }).click();
  await expect(card(page)).toContainText("the second");
  await expect(card(page)).toContainText("Run 2 failed.");
});

test("C2a: replay and fork begin before the failure", async ({ page, request }) => {
  const id = await record(request, booking(`book_${randomUUID().slice(0, 8)}`));
  await page.goto(`/conversations/${id}?failure=11`);
  await card(page).getByRole("button", { name: "Fork before it" }).click();
  await expect(page.getByRole("heading", { name: "Fork from step 9" })).toBeVisible();
  await page.keyboard.press("Escape");
  await card(page).getByRole("button", { name: "Replay from step 7" }).click();
  await expect(card(page)).toHaveCount(0);
  await expect(page.getByRole("slider").first()).toHaveAttribute("aria-valuenow", /^([7-9]|1\d)$/);
});

test("C2a: an escalation has a card; a step without a failure says so", async ({ page, request }) => {
  const id = await record(request, [
    says("", "user", "I want a person"),
    ["run.started", "one", {}],
    ["manager.alerted", "one", { text: "The user asks for a person", reason: "asked" }],
    says("one", "assistant", "A colleague will join."),
    ["run.finished", "one", { reason: "escalated" }],
  ]);
  await page.goto(`/conversations/${id}`);
  await header(page).getByRole("button", { name: "Explain why a manager was called" }).click();
  await expect(card(page).getByRole("heading", { name: "A manager was called" })).toBeVisible();
  await expect(card(page)).toContainText("The user asks for a person");
  await expect(card(page)).toContainText("A colleague will join.");
  await page.goto(`/conversations/${id}?failure=2`);
  await expect(card(page)).toContainText("This conversation has no such failure.");
});
