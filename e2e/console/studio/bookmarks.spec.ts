import { randomUUID } from "node:crypto";
import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { expectAccessible } from "../setup/axe.ts";
import { test } from "../setup/test.ts";

const START = Date.parse("2026-11-20T09:00:00.000Z");

const STEPS: [type: string, payload: object, seconds: number][] = [
  ["message.created", { message_id: "m1", role: "user", content: "Please raise deal 7." }, 0],
  ["run.started", {}, 1],
  ["model.requested", { model: "m", provider: "p" }, 2],
  ["model.responded", { model: "m", provider: "p", input_tokens: 1_200, output_tokens: 34 }, 4],
  ["call.started", { call_id: "get", tool: "deal.get" }, 5],
  ["call.failed", { call_id: "get", tool: "deal.get", error: { code: "GONE", message: "no" } }, 6],
  ["confirmation.requested", { confirmation_id: "k", key: "k", action: { method: "deal.update", params: {} } }, 7],
  ["manager.alerted", { text: "Help" }, 8],
  ["message.created", { message_id: "m2", role: "assistant", content: "I asked a manager." }, 3_600],
  ["run.finished", {}, 3_601],
];

async function record(request: APIRequestContext): Promise<string> {
  const id = `marks-${randomUUID()}`;
  const data = STEPS.map(([type, payload, seconds], index) => ({
    id: `${id}-${index + 1}`,
    conversation_id: id,
    type,
    run_id: type === "message.created" && index === 0 ? undefined : `${id}-run`,
    occurred_at: new Date(START + seconds * 1_000).toISOString(),
    payload: {
      ...payload,
      ...("message_id" in payload ? { message_id: `${id}-${index}` } : {}),
      ...("confirmation_id" in payload ? { confirmation_id: `${id}-k` } : {}),
    },
  }));
  expect((await request.post("/api/events", { data })).status()).toBe(201);
  return id;
}

const playhead = (page: Page) => page.getByRole("slider").first();

async function openAt(page: Page, id: string, query = ""): Promise<void> {
  await page.goto(`/conversations/${id}${query}`);
  await expect(page.getByText("Loading the timeline…")).toHaveCount(0);
  await expect(playhead(page)).toBeVisible();
  await expect(
    page
      .getByText("Live", { exact: true })
      .or(page.getByRole("button", { name: "Go live" }))
      .first(),
  ).toBeVisible();
}

test("C5: B adds a bookmark with a note, the list links to it, and the playhead stays", async ({ page, request }) => {
  const id = await record(request);
  await openAt(page, id, "?at=4");
  await page.keyboard.press("b");
  const note = page.getByRole("textbox", { name: "Note on step 4" });
  await note.fill("The dear one");
  await note.press("Enter");
  const list = page.getByRole("dialog", { name: "Bookmarks" });
  await expect(list).toContainText("The dear one");
  // It opens at its button, also with the key.
  const [box, opener] = [
    await list.boundingBox(),
    await page.getByRole("button", { name: "1 bookmark" }).boundingBox(),
  ];
  expect(Math.abs((box?.x ?? 0) + (box?.width ?? 0) - (opener?.x ?? 0) - (opener?.width ?? 0))).toBeLessThan(8);
  await expect(playhead(page)).toHaveAttribute("aria-valuenow", "4");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Home");
  await expect(playhead(page)).toHaveAttribute("aria-valuenow", "0");
  await page.getByRole("button", { name: "1 bookmark" }).click();
  await list.getByRole("button", { name: /step 4.*The dear one/ }).click();
  await expect(playhead(page)).toHaveAttribute("aria-valuenow", "4");

  await page.reload();
  await page.getByRole("button", { name: "1 bookmark" }).click();
  await list.getByRole("button", { name: "Edit the note on step 4" }).click();
  await note.fill("1,200 tokens");
  await note.press("Enter");
  await expect(list).toContainText("1,200 tokens");
  await list.getByRole("button", { name: "Remove the bookmark on step 4" }).click();
  await expect(list).toContainText("No bookmarks");
});

test("C5: a bookmark added before the list has loaded is in it", async ({ page, request }) => {
  const id = await record(request);
  const { promise: marked, resolve } = Promise.withResolvers<void>();
  // The first list is read before the bookmark is added, and arrives after it.
  await page.route("**/bookmarks", async (route) => {
    const response = await route.fetch();
    await marked;
    await route.fulfill({ response });
  });
  page.on("response", async (answer) => {
    if (answer.request().method() !== "PUT") return;
    await page.evaluate(() => new Promise(requestAnimationFrame));
    resolve();
  });
  await openAt(page, id, "?at=4");
  await page.keyboard.press("b");
  await expect(page.getByRole("textbox", { name: "Note on step 4" })).toBeFocused();
});

test("C5: a bookmark adds no step, and a reader who returns to the page sees bookmarks of others", {
  tag: "@postgres",
}, async ({ page, request }) => {
  const id = await record(request);
  await openAt(page, id);
  await expect(playhead(page)).toHaveAttribute("aria-valuenow", "10");
  await page.keyboard.press("b");
  const list = page.getByRole("dialog", { name: "Bookmarks" });
  await page.getByRole("textbox", { name: "Note on step 10" }).fill("The end");
  await page.keyboard.press("Enter");
  await expect(list).toContainText("The end");
  await page.keyboard.press("Escape");
  const other = `/api/conversations/${id}/bookmarks/3`;
  expect((await request.put(other, { data: { note: "Somebody else's" } })).status()).toBe(200);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await page.getByRole("button", { name: "2 bookmarks" }).click();
  await expect(list).toContainText("Somebody else's");
  // The next step arrives on the same stream as an event of the bookmark would.
  await request.post("/api/events", { data: { conversation_id: id, type: "log", payload: {} } });
  await expect(playhead(page)).toHaveAttribute("aria-valuemax", "11");
});

test("C5: a range is drawn with Shift, is in the address, and shows statistics", async ({ page, request }) => {
  const id = await record(request);
  await openAt(page, id, "?at=3&scale=steps");
  const box = await playhead(page).boundingBox();
  if (!box) throw new Error("The timeline is not there");
  const xOf = (seq: number) => box.x + 16 + ((box.width - 32) * (seq - 1)) / 9;
  // Ten steps do not fill a wide pane: at the maximum zoom a step is 48 pixels wide.
  const near = (seq: number) => Math.min(xOf(seq), box.x + 16 + 48 * (seq - 1));
  await page.keyboard.down("Shift");
  await page.mouse.move(near(3), box.y + 40);
  await page.mouse.down();
  await page.mouse.move(near(9), box.y + 40, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await expect(page).toHaveURL(/from=3/);
  await expect(page).toHaveURL(/to=9/);
  const bar = page.getByRole("region", { name: "Selected range" });
  await expect(bar).toContainText("3–9 · 7 events");
  await expect(bar).toContainText("1,200 in, 34 out");
  await expect(bar).toContainText("Errors1");
  await expect(playhead(page)).toHaveAttribute("aria-valuenow", "3");
  await expectAccessible(page);
  await bar.getByRole("button", { name: "Zoom to range" }).click();
  await page.reload();
  await expect(bar).toContainText("3–9 · 7 events");
  await bar.getByRole("button", { name: "Clear range" }).click();
  await expect(page).not.toHaveURL(/from=/);
});

test("C5: keys and buttons go to the next approval, alert and error; I and Shift+I set a range", async ({
  page,
  request,
}) => {
  const id = await record(request);
  await openAt(page, id, "?at=1");
  const at = (step: number) => expect(playhead(page)).toHaveAttribute("aria-valuenow", String(step));
  await page.keyboard.press("w");
  await at(7);
  await page.keyboard.press("m");
  await at(8);
  await page.keyboard.press("[");
  await at(6);
  await page.getByRole("button", { name: "1 approval. Next approval" }).click();
  await at(7);
  await page.keyboard.press("i");
  await page.keyboard.press("End");
  await page.keyboard.press("Shift+I");
  await expect(page).toHaveURL(/from=7&to=10|to=10.*from=7/);
});
