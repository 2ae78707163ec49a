import { randomUUID } from "node:crypto";
import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { expectAccessible } from "../setup/axe.ts";
import { graph } from "../setup/live-run.ts";
import { test } from "../setup/test.ts";

type Step = [type: string, run: string, payload: object];

const asks = (run: string, call_id: string, tool: string, params: object, more: object = {}): Step => [
  "call.started",
  run,
  { call_id, tool, params, ...more },
];
const gets = (run: string, call_id: string, tool: string, output: unknown): Step => [
  "call.succeeded",
  run,
  { call_id, tool, output },
];

/** Three turns: a price is found, summed up wrongly, and the booking fails because of the sum. */
const TALK: Step[] = [
  ["message.created", "", { message_id: "m1", role: "user", content: "I am ivan_muller_7015, book my flights again." }],
  ["run.started", "one", {}],
  asks("one", "details", "reservation.get", { user: "ivan_muller_7015" }),
  gets("one", "details", "reservation.get", {
    content: [{ type: "text", text: '{"reservation":"G72NSF","flights":[{"flight":"HAT097","price":"158.50"}]}' }],
  }),
  ["run.finished", "one", {}],
  ["run.started", "two", {}],
  asks("two", "sum", "calculate", { expression: "158.50 + 141.25" }),
  gets("two", "sum", "calculate", { result: 299.75 }),
  ["run.finished", "two", {}],
  ["run.started", "three", {}],
  asks("three", "book", "reservation.book", { amount: 299.75, flight: "HAT097", user: "ivan_muller_7015" }),
  [
    "call.failed",
    "three",
    {
      call_id: "book",
      tool: "reservation.book",
      error: { code: "rejected", message: "The total is 375, but 299.75 was paid." },
    },
  ],
  ["run.finished", "three", {}],
];

async function record(request: APIRequestContext, steps: Step[]): Promise<string> {
  const id = `values-${randomUUID()}`;
  const data = steps.map(([type, run, payload]) => ({
    conversation_id: id,
    type,
    ...(run !== "" && { run_id: `${id}-${run}` }),
    payload: "message_id" in payload ? { ...payload, message_id: `${id}-${payload.message_id}` } : payload,
  }));
  const answer = await request.post("/api/events", { data });
  expect(answer.status(), await answer.text()).toBe(201);
  return id;
}

const inspector = (page: Page) => page.getByRole("region", { name: "Inspector" });
const sources = (page: Page) => inspector(page).getByRole("list", { name: "Where values came from" });
const uses = (page: Page) => inspector(page).getByRole("list", { name: "Used by" });
const playhead = (page: Page) => page.getByRole("slider").first();

test("E15: a wrong value is traced to its source in two clicks", async ({ page, request }) => {
  const id = await record(request, TALK);
  await page.goto(`/conversations/${id}?plan=run`);
  await graph(page)
    .getByRole("button", { name: /^reservation\.book, / })
    .click();
  // The value that the error names is first.
  const first = sources(page).getByRole("listitem").first();
  await expect(first).toContainText("299.75");
  await expect(first).toContainText("The error names this value");
  await first.getByRole("button", { name: "From calculate, step 8: result; inferred from equal values" }).click();
  await expect(inspector(page).getByRole("heading", { name: "calculate" })).toBeVisible();
  await expect(
    uses(page).getByRole("button", {
      name: "Used by reservation.book, step 11: amount; inferred from equal values; failed",
    }),
  ).toBeVisible();
  // What the sum was made of, from within an MCP answer.
  await expect(
    sources(page).getByRole("button", { name: /^From reservation\.get, step 4: content\/0\/text\/flights\/0\/price;/ }),
  ).toBeVisible();
});

test("E15: chips lead both ways, with the keyboard too", async ({ page, request }) => {
  const id = await record(request, TALK);
  await page.goto(`/conversations/${id}?call=details&tab=call`);
  await expect(uses(page).getByRole("button")).toHaveCount(2);
  await expectAccessible(page);
  await uses(page)
    .getByRole("button", { name: /^Used by calculate, step 7: expression;/ })
    .press("Enter");
  await expect(inspector(page).getByRole("heading", { name: "calculate" })).toBeVisible();
  await page.goto(`/conversations/${id}?call=details&tab=call`);
  await sources(page).getByRole("button", { name: "From the message of User, step 1" }).press("Enter");
  await expect(playhead(page)).toHaveAttribute("aria-valuenow", "1");
});

test("E15: at a past step, only what has happened is shown", async ({ page, request }) => {
  const id = await record(request, TALK);
  await page.goto(`/conversations/${id}?call=details&tab=call&at=8`);
  await expect(uses(page).getByRole("button", { name: /^Used by calculate/ })).toBeVisible();
  await expect(uses(page).getByRole("button", { name: /^Used by reservation\.book/ })).toHaveCount(0);
  await page.goto(`/conversations/${id}?call=details&tab=call&at=4`);
  await expect(sources(page)).toBeVisible();
  await expect(uses(page)).toHaveCount(0);
});

test("E15: declared paths and inferred values are told apart", async ({ page, request }) => {
  const id = await record(request, [
    ["run.started", "one", {}],
    asks("one", "a", "deal.get", { id: 1 }, { output_path: "†state.deal" }),
    gets("one", "a", "deal.get", { number: "D-77120", sum: 5 }),
    asks("one", "b", "policy.check", { deal: "D-77120" }, { reads: ["†state.deal.sum"] }),
    gets("one", "b", "policy.check", true),
  ]);
  await page.goto(`/conversations/${id}?call=b&tab=call`);
  await expect(sources(page).getByRole("button")).toHaveCount(2);
  await expect(
    sources(page).getByRole("button", { name: "From deal.get, step 3: †state.deal.sum; declared" }),
  ).toBeVisible();
  await sources(page)
    .getByRole("button", { name: "From deal.get, step 3: number; inferred from equal values" })
    .click();
  await expect(uses(page).getByRole("button", { name: /; declared$/ })).toBeVisible();
  await expect(uses(page).getByRole("button", { name: /; inferred from equal values$/ })).toBeVisible();
});

test("C4: the table says who used a call's values", async ({ page, request }) => {
  const id = await record(request, [
    ["run.started", "one", {}],
    asks("one", "a", "order.get", { id: "W7741" }),
    gets("one", "a", "order.get", { parcel: "PC-90014" }),
    asks("one", "b", "parcel.move", { parcel: "PC-90014" }),
    gets("one", "b", "parcel.move", { ok: true }),
  ]);
  await page.goto(`/conversations/${id}?form=table&plan=run`);
  const row = page.getByRole("row", { name: /^order\.get/ });
  await row.getByRole("button", { name: "Used by parcel.move: PC-90014" }).click();
  await expect(inspector(page).getByRole("heading", { name: "parcel.move" })).toBeVisible();
});
