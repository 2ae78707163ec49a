import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { startServerProcess } from "../../scripts/server-process.ts";
import { expectAccessible } from "./setup/axe.ts";
import { test as base, sendNow } from "./setup/test.ts";

/** A server of its own for each test: a new one has nothing but the demo. */
const test = base.extend<{ variables: Record<string, string> }>({
  variables: [{}, { option: true }],
  baseURL: async ({ variables }, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), "obelus-welcome-"));
    const server = await startServerProcess(dataDir, { env: variables });
    await use(server.address);
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  },
});

const banner = (page: Page) => page.getByRole("region", { name: "First steps" });
const step = (page: Page, title: string | RegExp) =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: title }) });

test("A new server leads to three things to try, each marked as it is done", async ({ page, context, request }) => {
  await context.clearCookies();
  await page.goto("/");
  await expect(page.getByRole("table").first()).toBeVisible();
  await banner(page).getByRole("link", { name: "First steps" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Obelus shows the plan");
  await expectAccessible(page);

  const talk = step(page, /^Talk to the demo agent/);
  const panel = page.getByRole("region", { name: "Conversation with the demo agent" });
  await expect(talk.getByRole("status")).toHaveText("not tried yet");
  await page.keyboard.press("2");
  await expect(panel.getByRole("button", { name: /tasks\.task\.add/ }).last()).toBeVisible();
  await expect(talk.getByRole("status")).toHaveText("Done");
  await expectAccessible(page);

  // Another one waits for a decision, which is taken on this page.
  await page.keyboard.press("1");
  await expect(talk.getByRole("status")).toHaveText("waits for your approval");
  await panel.getByRole("button", { name: "Approve" }).click();
  await sendNow(page);
  await expect(talk.getByRole("status")).toHaveText("Done");

  const replay = step(page, "Replay a failure");
  await replay.getByRole("link", { name: "Open the failed step" }).click();
  await expect(page).toHaveURL(/\/conversations\/demo-refund-88412\?.*at=\d+/);
  await expect(
    page
      .getByRole("dialog")
      .or(page.getByRole("region", { name: /failure/i }))
      .first(),
  ).toBeVisible();
  await page.goto("/welcome");
  await expect(replay.getByRole("status")).toHaveText("Done");
  await expect(talk.getByRole("status")).toHaveText("Done");

  const connect = step(page, "Connect your agent");
  await expect(connect.getByRole("status").first()).toHaveText("nothing has arrived yet");
  const data = { conversation_id: "mine", type: "message.created", payload: { role: "user", content: "Hello" } };
  const sent = await request.post("/api/events", { data: { ...data, payload: { message_id: "m", ...data.payload } } });
  expect(sent.status(), await sent.text()).toBe(201);
  await expect(connect.getByRole("status").first()).toContainText("Arrived at");
  await expect(connect.getByRole("link", { name: "mine" })).toBeVisible();

  // Who has data of their own is not led here.
  await page.goto("/");
  await expect(page.getByRole("table").first()).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
});

test("The page is hidden for good, and found again under Connect", async ({ page, context }) => {
  await context.clearCookies();
  await page.goto("/welcome");
  await page.getByRole("button", { name: "Hide this page" }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByRole("table").first()).toBeVisible();
  await page.reload();
  await expect(banner(page)).toHaveCount(0);
  await page.goto("/connect");
  await page.getByRole("main").getByRole("link", { name: "First steps" }).click();
  await expect(page.getByRole("heading", { name: "Connect your agent" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Hide this page" })).toHaveCount(0);
});

test.describe("without the demo", () => {
  test.use({ variables: { OBELUS_DEMO: "0" } });

  test("The page says what is possible instead", async ({ page, context }) => {
    await context.clearCookies();
    await page.goto("/");
    await expect(banner(page)).toBeVisible();
    await page.goto("/welcome");
    await expect(step(page, "Replay a failure")).toContainText("OBELUS_DEMO=1");
  });
});
