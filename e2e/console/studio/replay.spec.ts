import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type APIRequestContext, expect, type Page, type Request } from "@playwright/test";
import { startServerProcess } from "../../../scripts/server-process.ts";
import { expectAccessible } from "../setup/axe.ts";
import { inspector } from "../setup/live-run.ts";
import { test, waitIn } from "../setup/test.ts";

const START = Date.parse("2026-11-20T09:00:00.000Z");

/** A turn in seven steps: a user message, a call and an answer. The third turn's call fails. */
function turn(conversation: string, number: number) {
  const run_id = `${conversation}-run-${number}`;
  const call = { call_id: "get", tool: "deal.get", iteration: 1 };
  const fails = number === 3;
  const steps: [type: string, actor: string, payload: object][] = [
    ["message.created", "user:anna", { role: "user", content: `Question ${number}` }],
    ["run.started", "agent:clerk", {}],
    ["call.started", "agent:clerk", { ...call, params: { number } }],
    fails
      ? ["call.failed", "tool:deal.get", { ...call, error: { code: "BUSY", message: "try later" } }]
      : ["call.succeeded", "tool:deal.get", { ...call, output: { number } }],
    ["state.written", "agent:clerk", { path: "†state.number", value: number, call_id: "get" }],
    ["message.created", "agent:clerk", { role: "assistant", content: `Answer ${number}` }],
    ["run.finished", "agent:clerk", {}],
  ];
  return steps.map(([type, actor, payload], index) => {
    const id = `${conversation}-${number}-${index}`;
    const message_id = type === "message.created" ? { message_id: id } : {};
    const occurred_at = new Date(START + number * 3_000 + index * 200).toISOString();
    const run = index === 0 ? {} : { run_id };
    return {
      id,
      conversation_id: conversation,
      type,
      actor,
      ...run,
      occurred_at,
      payload: { ...payload, ...message_id },
    };
  });
}

const STEPS = 7;
const TURNS = [1, 2, 3, 4];
const LAST = STEPS * TURNS.length;

async function post(request: APIRequestContext, data: object[], base = ""): Promise<void> {
  expect((await request.post(`${base}/api/events`, { data })).status()).toBe(201);
}

/** Records four turns, 28 steps. */
async function recordTurns(request: APIRequestContext, base = ""): Promise<string> {
  const id = `replay-${randomUUID()}`;
  await post(
    request,
    TURNS.flatMap((number) => turn(id, number)),
    base,
  );
  return id;
}

const address = (id: string, query = "") => `/conversations/${id}${query}`;
const playhead = (page: Page) => page.getByRole("slider", { name: "Position in the conversation" });
const thread = (page: Page) => page.getByRole("region", { name: "Thread", exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** The visible session: thread, state and step. */
async function facts(page: Page) {
  return {
    thread: await thread(page).textContent(),
    state: await page.getByRole("tree").first().textContent(),
    at: await playhead(page).getAttribute("aria-valuenow"),
    last: await playhead(page).getAttribute("aria-valuemax"),
  };
}

async function expectStep(page: Page, step: number): Promise<void> {
  await expect(playhead(page)).toHaveAttribute("aria-valuenow", String(step));
  await expect(thread(page)).toContainText(`Step ${step}`);
}

/** The page follows and shows the newest step. */
async function expectLive(page: Page, last: number): Promise<void> {
  await expect(playhead(page)).toHaveAttribute("aria-valuenow", String(last));
  await expect(thread(page)).toContainText(`Answer ${last / STEPS}`);
  await expect(page).not.toHaveURL(/at=/);
}

/** The first requests of a page: the timeline, all events, and those that arrived meanwhile. */
const FIRST_LOADS = 3;

/** Opens a session, waits until all of it is loaded, and counts further requests for its data. */
async function openWhole(page: Page, url: string): Promise<() => number> {
  const isLoad = (request: Request) =>
    /\/api\/conversations\/[^/]+\/(view|events|timeline)/.test(request.url()) ? 1 : 0;
  let [asked, answered] = [0, 0];
  page.on("request", (request) => {
    asked += isLoad(request);
  });
  page.on("requestfinished", (request) => {
    answered += isLoad(request);
  });
  await page.goto(url);
  await expect.poll(() => answered).toBe(FIRST_LOADS);
  return () => asked - FIRST_LOADS;
}

test("C5: replay plays from the first step to the last, and can be paused", async ({ page, request }) => {
  const id = await recordTurns(request);
  await page.goto(address(id, "?at=1"));
  await expectStep(page, 1);
  await button(page, "Play").click();
  await expect.poll(async () => Number(await playhead(page).getAttribute("aria-valuenow"))).toBeGreaterThan(3);
  await button(page, "Pause").click();
  const stopped = Number(await playhead(page).getAttribute("aria-valuenow"));
  await expect(page).toHaveURL(new RegExp(`at=${stopped}\\b`));
  await button(page, "Speed: 1×").click();
  await page.getByRole("menuitemradio", { name: "8×" }).click();
  await button(page, "Play").click();
  await expect(playhead(page)).toHaveAttribute("aria-valuenow", String(LAST));
  await expect(button(page, "Play")).toBeVisible();
  await expect(thread(page)).toContainText("Answer 4");
});

test("C5: the transport goes by step, call and message, and to the error", async ({ page, request }) => {
  const id = await recordTurns(request);
  await page.goto(address(id, "?at=1"));
  await expectStep(page, 1);
  await button(page, "Next step").click();
  await expectStep(page, 2);
  await button(page, "Next call").click();
  await expectStep(page, 3);
  await button(page, "Next call").click();
  await expectStep(page, 4);
  await button(page, "Next message").click();
  await expectStep(page, 6);
  await button(page, "Previous call").click();
  await expectStep(page, 4);
  await button(page, "Previous message").click();
  await expectStep(page, 1);
  await button(page, "1 error. Next error").click();
  await expectStep(page, 2 * STEPS + 4);
  // A jump adds a history entry, a step does not.
  await page.goBack();
  await expectStep(page, 1);
  await page.goForward();
  await expectStep(page, 2 * STEPS + 4);
});

test("C5: the same with the keyboard", async ({ page, request }) => {
  const id = await recordTurns(request);
  await page.goto(address(id, "?at=8"));
  await expectStep(page, 8);
  await page.keyboard.press("ArrowRight");
  await expectStep(page, 9);
  await page.keyboard.press("Shift+ArrowRight");
  await expectStep(page, 10);
  await page.keyboard.press("Alt+ArrowRight");
  await expectStep(page, 13);
  await page.keyboard.press("Alt+ArrowLeft");
  await expectStep(page, 8);
  await page.keyboard.press("ArrowLeft");
  await expectStep(page, 7);
  await page.keyboard.press("]");
  await expectStep(page, 18);
  // The failed call is selected.
  await expect(page).toHaveURL(/call=get/);
  await expect(inspector(page)).toContainText("try later");
  // From the newest step, the next error is the first one.
  await page.keyboard.press("End");
  await page.keyboard.press("]");
  await expectStep(page, 18);
  await page.keyboard.press("[");
  await expectStep(page, 18);
  await page.keyboard.press("Home");
  await expectStep(page, 0);
  await page.keyboard.press("End");
  await expect(playhead(page)).toHaveAttribute("aria-valuenow", String(LAST));
  await page.keyboard.press("Home");
  await page.keyboard.press(" ");
  await expect(button(page, "Pause")).toBeVisible();
});

/** Counts layout measurements while the pointer moves with its button down: each forces a layout. */
async function countMeasuring(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const measure = Element.prototype.getBoundingClientRect;
    Element.prototype.getBoundingClientRect = function () {
      const { event } = window;
      if (event instanceof PointerEvent && event.type === "pointermove" && event.buttons > 0)
        performance.mark("measured");
      return measure.call(this);
    };
  });
  return () => page.evaluate(() => performance.getEntriesByName("measured").length);
}

test("C5: dragging moves thread and state together, fetches and measures nothing, and the address follows when it rests", async ({
  page,
  request,
}) => {
  const id = await recordTurns(request);
  const measured = await countMeasuring(page);
  const loads = await openWhole(page, address(id));
  await expect(thread(page)).toContainText("Answer 4");
  const box = await playhead(page).boundingBox();
  if (!box) throw new Error("The playhead has no place on the page");
  await page.mouse.move(box.x + box.width - 20, box.y + 40);
  await page.mouse.down();
  for (let share = 0.9; share >= 0.4; share -= 0.02) await page.mouse.move(box.x + box.width * share, box.y + 40);
  await expect(thread(page)).not.toContainText("Answer 4");
  await expect(page).not.toHaveURL(/at=/);
  expect(await measured()).toBe(0);
  await page.mouse.up();
  const at = await playhead(page).getAttribute("aria-valuenow");
  expect(Number(at)).toBeGreaterThan(STEPS);
  expect(Number(at)).toBeLessThan(LAST);
  await expect(thread(page)).toContainText(`Step ${at}`);
  await expect(page).toHaveURL(new RegExp(`at=${at}\\b`));
  // A click is a jump: Back returns.
  await playhead(page).click({ position: { x: 40, y: 40 } });
  await expect(page).not.toHaveURL(new RegExp(`at=${at}\\b`));
  await page.goBack();
  await expectStep(page, Number(at));
  expect(loads()).toBe(0);
});

test("C5: a click on a call's bar shows that call, also where other runs have one of its id", async ({
  page,
  request,
}) => {
  const id = await recordTurns(request);
  await page.goto(address(id));
  await expect(thread(page)).toContainText("Answer 4");
  const box = await playhead(page).boundingBox();
  if (!box) throw new Error("The playhead has no place on the page");
  // The third turn's call, which failed: its card tells where its bar is.
  const bar = page.getByText("17–18deal.get", { exact: false });
  const x = box.x + box.width * 0.64;
  // The card is drawn after the pointer has moved on, on a busy machine.
  await expect(async () => {
    for (let y = box.y + 60; y < box.y + 110 && !(await bar.isVisible()); y += 4) await page.mouse.move(x, y);
    await expect(bar).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.mouse.down();
  await page.mouse.up();
  await expect(inspector(page)).toContainText("try later");
  await expect(page).toHaveURL(new RegExp(`run=${id}-run-3`));
  await page.goBack();
  await expectLive(page, LAST);
});

test("C2, E7: a link to a step opens the same view in another window, however the first got there", async ({
  page,
  request,
  context,
}) => {
  const id = await recordTurns(request);
  await page.goto(address(id));
  await expect(thread(page)).toContainText("Answer 4");
  for (let back = 0; back < 15; back += 1) await page.keyboard.press("ArrowLeft");
  await expectStep(page, LAST - 15);
  await expect(page).toHaveURL(new RegExp(`at=${LAST - 15}\\b`));
  const other = await context.newPage();
  await other.goto(page.url());
  await expectStep(other, LAST - 15);
  expect(await facts(other)).toEqual(await facts(page));
});

test("C5: a session without times is drawn by steps only; otherwise the choice is in the address", async ({
  page,
  request,
}) => {
  const id = `replay-${randomUUID()}`;
  const chat = {
    id,
    messages: [
      { role: "user", content: "Hello" },
      { role: "assistant", content: "Good morning" },
    ],
  };
  const data = `${JSON.stringify(chat)}\n`;
  await request.post("/api/import", { headers: { "content-type": "application/x-ndjson" }, data });
  await page.goto(address(id));
  await expect(playhead(page)).toBeVisible();
  await expect(page.getByRole("radio", { name: "Time" })).toHaveCount(0);

  await page.goto(address(await recordTurns(request)));
  await page.getByRole("group", { name: "Position by" }).getByText("Steps").click();
  await expect(page).toHaveURL(/scale=steps/);
  await page.reload();
  await expect(page.getByRole("radio", { name: "Steps" })).toBeChecked();
});

test("E13: live steps appear without refetching, and a reader of a past step stays there", {
  tag: "@postgres",
}, async ({ page, request }) => {
  const id = await recordTurns(request);
  const loads = await openWhole(page, address(id));
  await expect(thread(page)).toContainText("Answer 4");
  await post(request, turn(id, 5));
  await expect(thread(page)).toContainText("Answer 5");
  await expect(playhead(page)).toBeVisible();
  for (const number of [6, 7]) await post(request, turn(id, number));
  await expectLive(page, 7 * STEPS);
  expect(loads()).toBe(0);
  await page.keyboard.press("ArrowLeft");
  await expectStep(page, 7 * STEPS - 1);
  await post(request, turn(id, 8));
  await expect(playhead(page)).toHaveAttribute("aria-valuemax", String(8 * STEPS));
  await expectStep(page, 7 * STEPS - 1);
  await page.keyboard.press("l");
  await expectLive(page, 8 * STEPS);
});

test("C12, E6: after the server is killed under load, the page reports it and recovers, and its own fold equals the view", async ({
  browser,
  request,
}) => {
  const dataDir = await mkdtemp(join(tmpdir(), "obelus-replay-"));
  let server = await startServerProcess(dataDir, { env: { OBELUS_DEMO: "0" } });
  const base = server.address;
  const page = waitIn(await browser.newPage({ baseURL: base }));
  try {
    const id = await recordTurns(request, base);
    await page.goto(address(id));
    await expect(thread(page)).toContainText("Answer 4");

    // Enough turns for some to be sent after the server is killed.
    const last = 300;
    const load = keepPosting(request, base, id, { from: 5, to: last });
    await expect.poll(async () => Number(await playhead(page).getAttribute("aria-valuenow"))).toBeGreaterThan(LAST);
    await server.stop("SIGKILL");
    await expect(page.getByText("Connection lost")).toBeVisible();
    server = await startServerProcess(dataDir, { env: { OBELUS_DEMO: "0", PORT: new URL(base).port } });
    await load;

    await expect(page.getByText("Connection lost")).toHaveCount(0);
    await expectLive(page, last * STEPS);
    const view = await (await request.get(`${base}/api/conversations/${id}/view`)).json();
    expect(view.last).toBe(last * STEPS);
    await expect(thread(page)).toContainText(`${view.summary.message_count} messages`);
    const folded = await facts(page);
    // A reloaded page is rendered from /view.
    const fresh = waitIn(await browser.newPage({ baseURL: base }));
    await fresh.goto(address(id));
    await expectLive(fresh, last * STEPS);
    await expect.poll(() => facts(fresh)).toEqual(folded);
    await fresh.close();
  } finally {
    await page.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

/** Posts turn after turn; one without a response is posted again with the same ids. */
async function keepPosting(
  request: APIRequestContext,
  base: string,
  id: string,
  { from, to }: { from: number; to: number },
): Promise<void> {
  for (let number = from; number <= to; number += 1) {
    const send = () => request.post(`${base}/api/events`, { data: turn(id, number) }).then((answer) => answer.status());
    await expect.poll(() => send().catch(() => 0), { timeout: 60_000 }).toBe(201);
  }
}

test("C5, D1: lanes by agent, each can be hidden, and the address keeps the choice", async ({ page, request }) => {
  const id = `replay-${randomUUID()}`;
  const run = { conversation_id: id, run_id: `${id}-run` };
  const speaker = {
    ...{ agent_id: "seller", node: "sell", instructions: "Sell.", mode: "execute", max_iterations: 10 },
    history: { source: "prompt", locale: "en" },
  };
  const call = { call_id: "get", tool: "deal.get", iteration: 2 };
  await post(request, [
    { ...run, type: "run.started", agent_id: "router", payload: {} },
    { ...run, type: "run.iteration", agent_id: "router", payload: { iteration: 1 } },
    { ...run, type: "run.iteration", agent_id: "router", payload: { iteration: 2, speaker } },
    { ...run, type: "call.started", payload: { ...call, params: {} } },
    { ...run, type: "call.succeeded", payload: { ...call, output: 1 } },
    { ...run, type: "run.finished", payload: {} },
  ]);
  await page.goto(address(id));
  const lanes = page.getByRole("table", { name: "Timeline as a table" });
  const stretch = async (lane: string) =>
    (await lanes.getByRole("row", { name: lane }).getByRole("cell").allTextContents()).slice(-2);
  await expect(lanes.getByRole("row", { name: "Tools" })).toBeVisible();
  await page.getByRole("button", { name: /^Lanes/ }).click();
  await page.getByRole("menuitemradio", { name: "By agent" }).click();
  await expect(page).toHaveURL(/lanes=agent/);
  await expect(lanes.getByRole("row", { name: "Tools" })).toHaveCount(0);
  expect(await stretch("router")).toEqual(["1", "3"]);
  expect(await stretch("seller")).toEqual(["3", "6"]);

  await page.getByRole("button", { name: /^Lanes/ }).click();
  await page.getByRole("menuitemradio", { name: "router" }).click();
  await expect(lanes.getByRole("row", { name: "router" })).toHaveCount(0);
  await page.reload();
  await expect(lanes.getByRole("row", { name: "seller" })).toBeVisible();
  await expect(lanes.getByRole("row", { name: "router" })).toHaveCount(0);
  await expectAccessible(page);
});

test("C5, E9: a timeline marks its forks, and a fork's timeline where it diverges", async ({ page, request }) => {
  const id = await recordTurns(request);
  const fork = async (at: number, title: string) => {
    const answer = await request.post(`/api/conversations/${id}/fork`, { data: { at, title } });
    expect(answer.status()).toBe(201);
  };
  await fork(STEPS, "The first turn again");
  await fork(2 * STEPS, "Second, one way");
  await fork(2 * STEPS, "Second, another way");
  await page.goto(address(id, "?at=1"));
  await page.getByRole("button", { name: "2 forks from step 14" }).click();
  await expect(page.getByRole("menuitem", { name: "Second, another way" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expectAccessible(page);

  const mark = page.getByRole("link", { name: "Fork from step 7: The first turn again" });
  await mark.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "The first turn again" })).toBeVisible();
  await expect(page.getByText("from the source conversation")).toBeVisible();
  await button(page, "Previous message").click();
  await expect(page.getByText("from the source conversation")).toBeVisible();
});

test("C5: a session of 14,000 steps is drawn, searched for its error and followed without all of its rows", async ({
  page,
  request,
}) => {
  const id = `replay-${randomUUID()}`;
  const turns = Array.from({ length: 2_000 }, (_, index) => index + 1);
  // The third turn fails: its error is far from the end.
  for (let from = 0; from < turns.length; from += 140)
    await post(
      request,
      turns.slice(from, from + 140).flatMap((number) => turn(id, number)),
    );
  const last = STEPS * turns.length;
  const rows: number[] = [];
  page.on("response", async (response) => {
    if (!new URL(response.url()).pathname.endsWith("/timeline")) return;
    const columns: { seq: number[] } = await response.json();
    rows.push(columns.seq.length);
  });
  const asked: string[] = [];
  page.on("request", (sent) => asked.push(sent.url()));
  const opened = await page.goto(address(id));
  await expect(playhead(page)).toHaveAttribute("aria-valuemax", String(last));
  // The page itself preloads the timeline's data, and its scripts do not fetch it again.
  const early = [...((await opened?.text()) ?? "").matchAll(/<link rel="preload" href="([^"]+)" as="fetch"/g)];
  const first = early.map(([, href = ""]) => new URL(href.replaceAll("&amp;", "&"), page.url()).href);
  expect(first.map((url) => asked.filter((one) => one === url).length)).toEqual([1, 1]);
  const lanes = page.getByRole("table", { name: "Timeline as a table" });
  const tools = ["2000", "1", /./, "3", String(last - 3)];
  await expect(lanes.getByRole("row", { name: "Tools" }).getByRole("cell")).toHaveText(tools);
  await expect(page.getByRole("button", { name: /^Run 2,?000 of 2,?000/ })).toBeVisible();
  await page.getByRole("button", { name: "1 error. Next error" }).click();
  await expectStep(page, 2 * STEPS + 4);
  await expect(page.getByRole("region", { name: "Timeline" })).toContainText("call.failed");
  await button(page, "Next call").click();
  await expectStep(page, 3 * STEPS + 3);
  await expect(page.getByRole("region", { name: "Timeline" })).toContainText("call.started");
  await button(page, "Show the whole conversation").click();
  await button(page, "Previous message").click();
  await expectStep(page, 3 * STEPS + 1);
  await playhead(page).press("End");
  await expect(playhead(page)).toHaveAttribute("aria-valuenow", String(last));
  await post(request, turn(id, 2_001));
  await expectLive(page, last + STEPS);
  await expect(lanes.getByRole("row", { name: "Tools" }).getByRole("cell").first()).toHaveText("2001");
  expect(Math.max(...rows)).toBeLessThan(last / 2);
});
