import { randomUUID } from "node:crypto";
import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { expectAccessible } from "../setup/axe.ts";
import { graph, inspector } from "../setup/live-run.ts";
import { test } from "../setup/test.ts";

type Step = [type: string, run: string, payload: object, parent?: string];

const says = (id: string, content: string): Step => ["message.created", "", { message_id: id, role: "user", content }];
const asks = (run: string, call_id: string, tool: string, params: object = {}): Step => [
  ...(["call.started", run] as const),
  { call_id, tool, params },
];
const gets = (run: string, call_id: string, tool: string, output: unknown = null): Step => [
  ...(["call.succeeded", run] as const),
  { call_id, tool, output },
];

/** Three runs of an agent without plans: the third books with a value of the first, and fails. */
const TALK: Step[] = [
  says("m1", "I am ann_li_4521. What do I pay with?"),
  ["run.started", "one", {}],
  asks("one", "user", "user.get", { id: "ann_li_4521" }),
  gets("one", "user", "user.get", { card: "card_889100", home: "Oslo" }),
  ["run.finished", "one", {}],
  says("m2", "Look for flights, both ways."),
  ["run.started", "two", {}],
  asks("two", "out", "flights.find", { to: "Bergen" }),
  asks("two", "back", "flights.find", { to: "Oslo" }),
  gets("two", "out", "flights.find", { flight: "SK4411" }),
  gets("two", "back", "flights.find", { flight: "SK4412" }),
  asks("two", "check", "price.check", { flight: "SK4411" }),
  ["run.started", "inner", { call_id: "check", delegate: "price_check" }, "two"],
  asks("inner", "sum", "calculate", { expression: "375 - 299" }),
  gets("inner", "sum", "calculate", "76"),
  ["run.finished", "inner", {}, "two"],
  gets("two", "check", "price.check"),
  ["run.finished", "two", {}],
  says("m3", "Please book the first one."),
  ["run.started", "three", {}],
  asks("three", "book", "booking.make", { flight: "SK4411", card: "card_889100" }),
  [
    ...(["call.failed", "three"] as const),
    { call_id: "book", tool: "booking.make", error: { code: "rejected", message: "Total is 375, but paid 299" } },
  ],
  ["manager.alerted", "three", { text: "The booking needs a person" }],
  ["run.finished", "three", {}],
];
const FAILED = 22;

async function append(request: APIRequestContext, id: string, steps: readonly Step[]): Promise<void> {
  const data = steps.map(([type, run, payload, parent]) => ({
    conversation_id: id,
    type,
    ...(run !== "" && { run_id: `${id}-${run}` }),
    ...(parent !== undefined && { parent_run_id: `${id}-${parent}` }),
    payload: "message_id" in payload ? { ...payload, message_id: `${id}-${payload.message_id}` } : payload,
  }));
  const answer = await request.post("/api/events", { data });
  expect(answer.status(), await answer.text()).toBe(201);
}

async function record(request: APIRequestContext, steps: readonly Step[] = TALK): Promise<string> {
  const id = `map-${randomUUID()}`;
  await append(request, id, steps);
  return id;
}

const map = (page: Page) => page.getByRole("group", { name: "Session map", exact: true });
const band = (page: Page, number: number) => map(page).getByRole("region", { name: `Run ${number}`, exact: true });
const card = (page: Page, name: RegExp) => map(page).locator(".sm-card").filter({ hasText: name });
/** The radio buttons of a switch are invisible: their labels are pressed. */
const choose = (page: Page, label: string) => page.locator("fieldset label", { hasText: label }).click();
const playhead = (page: Page) => page.getByRole("slider").first();

async function open(page: Page, id: string, query = ""): Promise<void> {
  await page.goto(`/conversations/${id}${query}`);
  await expect(map(page).locator("[data-key]").first()).toBeVisible();
}

test("C4: a session without plans is a map of its runs, with the messages that began them", async ({
  page,
  request,
}) => {
  const id = await record(request);
  await open(page, id);
  await expect(band(page, 1)).toContainText("“I am ann_li_4521. What do I pay with?”");
  await expect(band(page, 2)).toContainText("4 calls");
  await expect(band(page, 3)).toContainText("Please book the first one.");
  await expect(band(page, 2).locator(".sm-frame")).toContainText("price_check delegate · 1 call");
  await expect(band(page, 2).locator(".sm-bracket")).toHaveText("in parallel");
  const [out, back] = await Promise.all(
    [/Bergen/, /to Oslo/].map((name) => band(page, 2).locator(".sm-card").filter({ hasText: name }).boundingBox()),
  );
  expect(out?.y).toBe(back?.y);
  await expect(card(page, /booking\.make/)).toContainText("Total is 375, but paid 299");
  await expect(band(page, 3).getByRole("button", { name: "1 failure: show it" })).toBeVisible();
  await expect(band(page, 3).getByLabel("Escalated", { exact: true })).toBeVisible();
  await expectAccessible(page);
});

test("C4: the map and the run's plan are a key and a switch apart, and the address has the choice", async ({
  page,
  request,
}) => {
  const id = await record(request);
  await open(page, id);
  await choose(page, "Plan");
  await expect(page).toHaveURL(/plan=run/);
  await expect(graph(page)).toBeVisible();
  await page.keyboard.press("p");
  await expect(map(page)).toBeVisible();
  await expect(page).toHaveURL(/plan=session/);

  // A session whose runs have plans shows the plan, and its map by the same key.
  await page.goto("/conversations/demo-refund-88412");
  await expect(graph(page)).toBeVisible();
  await page.keyboard.press("p");
  await expect(page).toHaveURL(/plan=session/);
  await expect(map(page).locator("[data-key]").first()).toBeVisible();
  await expect(map(page).locator(".sm-chip[data-kind=declared]").first()).toBeVisible();
  await page.keyboard.press("p");
  await expect(graph(page)).toBeVisible();
});

test("C4: values go from run to run, and one is followed from its source to its uses", { tag: "@postgres" }, async ({
  page,
  request,
}) => {
  const id = await record(request);
  await open(page, id);
  const booking = band(page, 3);
  await expect(booking.locator(".sm-chip")).toHaveText(["SK4411", "card_889100"]);
  await expect(band(page, 1).locator(".sm-chip[data-kind=message]")).toHaveText("ann_li_4521");
  // Both come down the gutter.
  const tips = await map(page).locator(".sm-rails .sm-tip").getAttribute("d");
  expect(tips?.match(/M/g)).toHaveLength(2);
  await booking.getByRole("button", { name: "SK4411" }).click();
  const bar = page.getByRole("region", { name: "Where a value went" });
  await expect(bar).toContainText(/SK4411\s*flights\.find step 10\s*→ used 2 times: price\.check 12, booking\.make 21/);
  await expect(map(page).locator(".sm-card[data-lit]")).toHaveCount(3);
  await page.keyboard.press("Escape");
  await expect(bar).toHaveCount(0);
  await page.getByRole("button", { name: "Inferred edges" }).click();
  await expect(map(page).locator(".sm-chip")).toHaveCount(0);
});

test("C4: a call is selected as everywhere in the studio, one that is yet to come at its own step", async ({
  page,
  request,
}) => {
  const id = await record(request);
  await open(page, id);
  await card(page, /calculate/).click();
  await expect(page).toHaveURL(/call=sum/);
  await expect(inspector(page)).toContainText("calculate");
  await expect(card(page, /calculate/)).toHaveAttribute("aria-pressed", "true");
  await open(page, id, "?at=4");
  await card(page, /booking\.make/).click();
  await expect(playhead(page)).toHaveAttribute("aria-valuenow", String(FAILED));
  await expect(inspector(page)).toContainText("Total is 375, but paid 299");
  await page.goBack();
  await expect(playhead(page)).toHaveAttribute("aria-valuenow", "4");
});

test("C4: what has not happened yet is faded, but a failure stays red", async ({ page, request }) => {
  const id = await record(request);
  await open(page, id, "?at=9");
  await expect(map(page).getByRole("img", { name: "Step 9: you are here" })).toBeVisible();
  await expect(card(page, /user\.get/)).not.toHaveAttribute("data-later");
  await expect(card(page, /Bergen/)).toContainText("Running");
  await expect(card(page, /calculate/)).toHaveAttribute("data-later");
  await expect(card(page, /booking\.make/)).toHaveAttribute("data-later");
  await expect(card(page, /booking\.make/)).toHaveAttribute("data-status", "failed");
  await page.keyboard.press("l");
  await expect(map(page).locator("[data-later]")).toHaveCount(0);
});

test("C4: the next failure is found, also from afar, where bands keep their words", async ({ page, request }) => {
  const id = await record(request, [
    ...TALK,
    ...Array.from({ length: 60 }, (_, index): Step[] => [
      says(`more-${index}`, `Question ${index}`),
      ["run.started", `more-${index}`, {}],
      asks(`more-${index}`, `more-${index}`, "think"),
      gets(`more-${index}`, `more-${index}`, "think"),
      ["run.finished", `more-${index}`, {}],
    ]).flat(),
  ]);
  await open(page, id);
  // So long a session is seen from afar at first.
  await expect(page.getByRole("radio", { name: "Far" })).toBeChecked();
  await expect(band(page, 3)).toContainText("Please book the first one.");
  const mark = band(page, 3).getByRole("button", { name: "booking.make, Failed" });
  await map(page).evaluate((pane) => pane.scrollTo(0, pane.scrollHeight));
  await expect(mark).toHaveCount(0);
  await page.getByRole("button", { name: "Next failure" }).click();
  await expect(mark).toHaveAttribute("aria-pressed", "true");
  await expect(mark).toBeInViewport();
  await expect(playhead(page)).toHaveAttribute("aria-valuenow", String(FAILED));
  await choose(page, "Near");
  await expect(card(page, /booking\.make/)).toBeInViewport();
});

test("C4: live calls appear where they belong, and nothing that stands moves", async ({ page, request }) => {
  const id = await record(request);
  await open(page, id);
  const places = () =>
    map(page)
      .locator(".sm-card")
      .evaluateAll((cards) =>
        Object.fromEntries(
          cards.map((one) => [
            one.getAttribute("data-key"),
            [one.getAttribute("style"), one.parentElement?.getAttribute("style")],
          ]),
        ),
      );
  const before = await places();
  await append(request, id, [
    says("m4", "Try again."),
    ["run.started", "four", {}],
    asks("four", "again", "booking.make"),
  ]);
  await expect(band(page, 4)).toContainText("Try again.");
  await expect(band(page, 4).locator(".sm-card")).toContainText("Running");
  await append(request, id, [
    gets("four", "again", "booking.make", { booking: "BK-90014" }),
    asks("four", "tell", "mail.send", { booking: "BK-90014" }),
  ]);
  await expect(band(page, 4).locator(".sm-card")).toHaveCount(2);
  await expect(band(page, 4).locator(".sm-chip")).toHaveText("BK-90014");
  expect(await places()).toMatchObject(before);
});

test("C4: equal calls in a row are one card, which opens in place", async ({ page, request }) => {
  const id = await record(request, [
    says("m", "All of them"),
    ["run.started", "one", {}],
    ...["a", "b", "c", "d"].flatMap((call) => [
      asks("one", call, "order.get", { id: `W-${call}-7741` }),
      gets("one", call, "order.get"),
    ]),
  ]);
  await open(page, id);
  await expect(card(page, /order\.get/)).toHaveText(/×4/);
  await card(page, /order\.get/).click();
  await expect(card(page, /order\.get/)).toHaveCount(4);
  await map(page).getByRole("button", { name: "collapse" }).click();
  await expect(card(page, /order\.get/)).toHaveCount(1);
});

test("C4: the arrow keys go from call to call, and Enter selects", async ({ page, request }) => {
  const id = await record(request);
  await open(page, id);
  await card(page, /user\.get/).focus();
  await page.keyboard.press("ArrowDown");
  await expect(card(page, /Bergen/)).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(card(page, /to Oslo/)).toBeFocused();
  await page.keyboard.press("End");
  await expect(card(page, /booking\.make/)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/call=book/);
});

test("C4: a search finds calls by their values and their run's message", async ({ page, request }) => {
  const id = await record(request);
  await open(page, id);
  await page.getByRole("button", { name: "Find a call" }).click();
  await page.getByRole("searchbox", { name: "Find a call" }).fill("SK4412");
  await expect(map(page).locator("[data-found]")).toHaveCount(1);
  await page.getByRole("searchbox", { name: "Find a call" }).fill("both ways");
  await expect(map(page).locator("[data-found]")).toHaveCount(3);
});

test("C4: the map is a table, too", async ({ page, request }) => {
  const id = await record(request);
  await page.goto(`/conversations/${id}?form=table`);
  const table = page.getByRole("region", { name: "The session as a table" });
  await expect(table.getByRole("row", { name: /^Run 3 .*“Please book the first one\.”/ })).toBeVisible();
  const row = table.getByRole("row", { name: /booking\.make Failed/ });
  await expect(row.getByRole("button", { name: "user.get: card_889100" })).toBeVisible();
  const source = table.getByRole("row", { name: /^flights\.find Succeeded 8/ });
  await source.getByRole("button", { name: "booking.make 21" }).click();
  await expect(page).toHaveURL(/call=book/);
  await expectAccessible(page);
  await page.getByRole("button", { name: "As a table" }).click();
  await expect(card(page, /booking\.make/)).toBeInViewport();
});

test("C4: the map is exported as an image", async ({ page, request }) => {
  const id = await record(request);
  await open(page, id);
  await page.getByRole("button", { name: "Export the map" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "As SVG" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/-map-\d+\.svg$/);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  const svg = Buffer.concat(chunks).toString();
  expect(svg).toContain("Please book the first one.");
  expect(svg).toContain("booking.make");
});

test("C4: in Russian", async ({ page, request, context, baseURL }) => {
  const id = await record(request);
  await context.addCookies([{ name: "obelus-locale", value: "ru", url: baseURL ?? "" }]);
  await page.goto(`/conversations/${id}`);
  const russian = page.getByRole("group", { name: "Карта сессии", exact: true });
  await expect(russian.getByRole("region", { name: "Запуск 2" })).toContainText("параллельно");
  await expect(page.getByRole("button", { name: "Следующая ошибка", exact: true })).toBeVisible();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true });

  test("C4: cards stand one below another, with their values, and what is yet to come is faded", async ({
    page,
    request,
  }) => {
    const id = await record(request);
    await open(page, id, "?pane=plan");
    const cards = await map(page)
      .locator(".sm-card")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
    expect(cards.length).toBeGreaterThan(3);
    for (const [index, { top, height, right }] of cards.entries()) {
      expect(height).toBeGreaterThanOrEqual(44);
      expect(right).toBeLessThanOrEqual(390);
      expect(top).toBeGreaterThanOrEqual((cards[index - 1]?.bottom ?? Number.NEGATIVE_INFINITY) - 0.5);
    }
    await expect(card(page, /booking\.make/)).toBeInViewport();
    await expect(band(page, 3).locator(".sm-chip").first()).toHaveText("SK4411");
    await expectAccessible(page);
    await page.getByRole("slider", { name: "Timeline" }).fill("9");
    await expect(card(page, /booking\.make/)).toHaveAttribute("data-later");
    await card(page, /user\.get/).tap();
    await expect(page).toHaveURL(/pane=call/);
    await expect(inspector(page)).toContainText("user.get");
  });
});
