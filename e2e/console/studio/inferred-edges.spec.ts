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

/** Two turns of an agent without plans: the second uses the user's message and the first one's result. */
const TALK: Step[] = [
  ["message.created", "", { message_id: "m1", role: "user", content: "I am ann_li_4521, where is my order?" }],
  ["run.started", "one", {}],
  asks("one", "user", "user.get", { id: "ann_li_4521" }),
  gets("one", "user", "user.get", { orders: ["W7741", "W7802"], address: { id: "addr-5512" } }),
  ["run.finished", "one", {}],
  ["message.created", "", { message_id: "m2", role: "user", content: "Please send it to BX-2077." }],
  ["run.started", "two", {}],
  asks("two", "order", "order.get", { id: "W7802" }),
  gets("two", "order", "order.get", { order: { id: "W7802", parcel: "PC-90014" } }),
  asks("two", "parcel", "parcel.move", { parcel: "PC-90014", order: "W7802", to: "BX-2077" }),
  gets("two", "parcel", "parcel.move", { ok: true }),
];

async function record(request: APIRequestContext, steps: Step[]): Promise<string> {
  const id = `inferred-${randomUUID()}`;
  await append(request, id, steps);
  return id;
}

async function append(request: APIRequestContext, id: string, steps: Step[]): Promise<void> {
  const data = steps.map(([type, run, payload]) => ({
    conversation_id: id,
    type,
    ...(run !== "" && { run_id: `${id}-${run}` }),
    payload: "message_id" in payload ? { ...payload, message_id: `${id}-${payload.message_id}` } : payload,
  }));
  const answer = await request.post("/api/events", { data });
  expect(answer.status(), await answer.text()).toBe(201);
}

async function open(page: Page, id: string, query = ""): Promise<void> {
  await page.goto(`/conversations/${id}?plan=run${query}`);
  await expect(page.getByText(/^(Loading the timeline…|Загрузка ленты…)$/)).toHaveCount(0);
  await expect(card(page, "parcel.move")).toBeVisible();
}

/** A call's card, whatever its status. */
const card = (page: Page, tool: string) => graph(page).getByRole("button", { name: new RegExp(`^${tool}, `) });
const lines = (page: Page) => graph(page).locator(".pg-inferred .pg-line-path");
const playhead = (page: Page) => page.getByRole("slider").first();

test("C4: inferred edges are dashed, with evidence and a switch", async ({ page, request }) => {
  const id = await record(request, TALK);
  await open(page, id);
  await expect(graph(page).locator(".pg-edges .pg-inferred")).toHaveCount(1);
  const mark = graph(page).getByRole("button", { name: "From order.get; PC-90014: order/parcel → parcel" });
  await expect(mark).toHaveText("order/parcel → parcel");
  await mark.hover();
  await expect(page.locator(".pg-evidence:popover-open")).toHaveText(
    /From order\.get.*PC-90014.*order\/parcel → parcel/,
  );
  await expectAccessible(page);
  await page.getByRole("button", { name: "Inferred edges" }).click();
  await expect(mark).toHaveCount(0);
  await expect(page).toHaveURL(/inferred=off/);
  await page.getByRole("button", { name: "Inferred edges" }).click();
  await expect(mark).toBeVisible();
});

test("C4: inputs inferred from a message or an earlier turn are marked on the card, with a link", async ({
  page,
  request,
}) => {
  const id = await record(request, TALK);
  await open(page, id);
  const said = graph(page).getByRole("button", { name: "From the user's message; BX-2077: → to" });
  const found = graph(page).getByRole("button", {
    name: "From user.get, in an earlier turn; W7802: orders/1 → order",
  });
  await expect(said).toHaveText("user → to");
  await expect(found).toBeVisible();
  await said.click();
  await expect(playhead(page)).toHaveAttribute("aria-valuenow", "6");
  await page.goBack();
  await open(page, id, "&at=11");
  await found.click();
  await expect(playhead(page)).toHaveAttribute("aria-valuenow", "4");
  await expect(card(page, "user.get")).toHaveAttribute("aria-pressed", "true");
});

test("C4: an edge appears with both of its ends, and while calls run", async ({ page, request }) => {
  const id = await record(request, TALK);
  await open(page, id);
  await expect(lines(page)).not.toHaveCount(0);
  const run = "two";
  await append(request, id, [asks(run, "track", "parcel.track", { id: "PC-90014" })]);
  await expect(card(page, "parcel.track")).toBeVisible();
  await expect(
    graph(page).getByRole("button", { name: /^From order\.get; PC-90014: order\/parcel → id/ }),
  ).toBeVisible();
  await page.goto(`/conversations/${id}?plan=run&at=9`);
  await expect(card(page, "order.get")).toBeVisible();
  await expect(card(page, "parcel.move")).toHaveCount(0);
  await expect(graph(page).locator(".pg-edges .pg-inferred")).toHaveCount(0);
});

test("C4: the table shows them, too", async ({ page, request }) => {
  const id = await record(request, TALK);
  await page.goto(`/conversations/${id}?plan=run&form=table`);
  const row = page.getByRole("row", { name: /parcel\.move/ });
  await expect(row.getByRole("button", { name: "From order.get: PC-90014: order/parcel → parcel" })).toBeVisible();
  await expect(row.getByRole("button", { name: "From the user's message: BX-2077: → to" })).toBeVisible();
  await expectAccessible(page);
});

test("C4: in Russian", async ({ page, request, context, baseURL }) => {
  const id = await record(request, TALK);
  await open(page, id);
  await context.addCookies([{ name: "obelus-locale", value: "ru", url: baseURL ?? "" }]);
  await page.reload();
  await expect(
    page.getByRole("button", { name: "Из user.get, в одном из прошлых ходов; W7802: orders/1 → order" }),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: "Из сообщения пользователя; BX-2077: → to" })).toHaveText(
    "пользователь → to",
  );
  await expect(page.getByRole("button", { name: "Выведенные связи" })).toBeVisible();
});

test("E15: paths that an agent declares are edges of the state", async ({ page, request }) => {
  const id = await record(request, [
    ["run.started", "one", {}],
    asks("one", "a", "deal.get", { id: 1 }, { output_path: "†state.deal" }),
    gets("one", "a", "deal.get", { sum: 5 }),
    asks("one", "b", "policy.check", { sum: 5 }, { reads: ["†state.deal.sum"] }),
    gets("one", "b", "policy.check", true),
  ]);
  await page.goto(`/conversations/${id}?plan=run`);
  await expect(graph(page).getByRole("button", { name: "Reads †state.deal.sum" })).toBeVisible();
  await expect(graph(page).locator(".pg-trace[data-state=done] .pg-tip")).toHaveCount(1);
});
