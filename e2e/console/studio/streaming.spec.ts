import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { startServerProcess } from "../../../scripts/server-process.ts";
import { type HeldModel, startHeldModel } from "../../api/setup/held-model.ts";
import { expectAccessible } from "../setup/axe.ts";
import { header, thread } from "../setup/live-run.ts";
import { test as base } from "../setup/test.ts";

/** Each test has a server whose agent answers only as far as the test allows. */
const test = base.extend<{ model: HeldModel }>({
  model: async ({ browserName: _ }, use) => {
    const model = await startHeldModel();
    await use(model);
    await model.close();
  },
  baseURL: async ({ model }, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), "obelus-streaming-"));
    const agent = { instructions: "Work.", mode: "full", default: true, tools: [] };
    await writeFile(join(dataDir, "vera.json"), JSON.stringify(agent));
    const env = { OBELUS_DEMO: "0", OBELUS_MODEL: "held", OBELUS_MODEL_BASE_URL: model.baseUrl };
    const server = await startServerProcess(dataDir, { env: { ...env, OBELUS_AGENTS_DIR: dataDir } });
    await use(server.address);
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  },
});

const ANSWER = [
  "It will be **warm** today:",
  ...["in the morning 12 degrees", "at noon 21 degrees", "in the evening 17 degrees"].map((line) => `- ${line}`),
].join("\n");

/** The draft of an answer. */
const draft = (page: Page): Locator => thread(page).locator("article[aria-busy=true]");
/** The items of an answer's list. */
const points = (article: Locator): Locator => article.locator(".prose-thread li");
const answers = (page: Page): Locator => thread(page).getByRole("article").filter({ hasText: "warm" });

/** Starts a conversation with a first message and waits until its studio is connected. */
async function begin(page: Page, text: string, live = "Live"): Promise<string> {
  await page.goto("/new");
  await expect(page.locator("[data-connection=live]")).toBeVisible();
  const first = page.locator("textarea").first();
  await first.fill(text);
  await first.press("Enter");
  await expect(page).toHaveURL(/\/conversations\//);
  await expect(thread(page).getByText(live, { exact: true })).toBeVisible();
  return page.url();
}

test("C3: an answer is streamed in its place, and does not jump when it is complete", async ({ page, model }) => {
  const answer = model.answer("weather", ANSWER);
  await begin(page, "What will the weather be?");
  await expect(thread(page).getByText("vera is answering…")).toBeVisible();
  answer.upTo("It will be **warm**");
  await expect(draft(page)).toContainText("It will be warm");
  await expect(draft(page).locator("strong")).toHaveText("warm");
  await expect(draft(page)).toContainText("vera");
  await expect(thread(page).getByText("vera is answering…")).toHaveCount(0);
  await expectAccessible(page);
  answer.upTo("at noon 21");
  await expect(points(draft(page))).toHaveText(["in the morning 12 degrees", "at noon 21"]);
  answer.upTo(ANSWER);
  await expect(draft(page)).toContainText("17 degrees");
  const grown = await draft(page).boundingBox();

  answer.finish();
  await expect(header(page)).toContainText("Done");
  await expect(draft(page)).toHaveCount(0);
  await expect(answers(page)).toHaveCount(1);
  await expect(points(answers(page))).toHaveCount(3);
  expect(await answers(page).boundingBox()).toEqual(grown);
});

test("C3: a page that opens or reloads during an answer shows the draft; an earlier step does not", async ({
  page,
  context,
  model,
}) => {
  const answer = model.answer("weather", ANSWER);
  const url = await begin(page, "What will the weather be?");
  answer.upTo("It will be **warm**");
  await expect(draft(page)).toContainText("warm");
  const other = await context.newPage();
  await other.goto(url);
  await expect(draft(other)).toContainText("It will be warm");
  await page.reload();
  await expect(draft(page)).toContainText("It will be warm");
  answer.upTo("in the morning");
  for (const each of [page, other]) await expect(draft(each)).toContainText("in the morning");

  await other.goto(`${new URL(url).pathname}?at=2`);
  await expect(thread(other).getByRole("button", { name: "Go live" })).toBeVisible();
  await expect(draft(other)).toHaveCount(0);
  answer.upTo("at noon");
  await expect(draft(page)).toContainText("at noon");
  await expect(draft(other)).toHaveCount(0);
  await thread(other).getByRole("button", { name: "Go live" }).click();
  await expect(draft(other)).toContainText("at noon");
  answer.finish();
  for (const each of [page, other]) await expect(points(answers(each))).toHaveCount(3);
});

test("P24: a turn cancelled during its answer says so, and the draft disappears", async ({ page, model }) => {
  const answer = model.answer("weather", ANSWER);
  await begin(page, "What will the weather be?");
  answer.upTo("It will be **warm**");
  await expect(draft(page)).toContainText("warm");
  await page.getByRole("button", { name: "Cancel run" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel run" }).click();
  await expect(header(page)).toContainText("Cancelled");
  await expect(draft(page)).toHaveCount(0);
  await expect(answers(page)).toHaveCount(0);
});

test("C3: the thread follows a long answer to its end, unless the reader has scrolled away", async ({
  page,
  model,
}) => {
  const lines = Array.from({ length: 120 }, (_, n) => `It is warm for the ${n + 1}th time.`);
  const answer = model.answer("weather", lines.join("\n\n"), 50);
  await begin(page, "What will the weather be?");
  const scroller = thread(page).getByRole("region", { name: "Messages and calls" });
  const toEnd = () => scroller.evaluate((el) => el.scrollHeight - el.scrollTop - el.clientHeight);
  answer.upTo("the 60th time.");
  await expect(draft(page)).toContainText("the 57th time.");
  await expect.poll(toEnd).toBeLessThan(2);
  await scroller.hover();
  await page.mouse.wheel(0, -600);
  await expect.poll(toEnd).toBeGreaterThan(400);
  const place = await scroller.evaluate((el) => el.scrollTop);
  answer.upTo("the 110th time.");
  await expect(draft(page)).toContainText("the 107th time.");
  expect(await scroller.evaluate((el) => el.scrollTop)).toBe(place);
  answer.finish();
  await expect(header(page)).toContainText("Done");
});

test.describe("in Russian", () => {
  test.use({ locale: "ru-RU", colorScheme: "dark" });

  test("C3: the page says who is answering", async ({ page, model }) => {
    const answer = model.answer("погод", "Будет **тепло**.");
    await page.goto("/new");
    await expect(page.locator("[data-connection=live]")).toBeVisible();
    const first = page.locator("textarea").first();
    await first.fill("Какая будет погода?");
    await first.press("Enter");
    await expect(page).toHaveURL(/\/conversations\//);
    const talk = page.getByRole("region", { name: "Диалог", exact: true });
    await expect(talk.getByText("vera отвечает…")).toBeVisible();
    answer.upTo("Будет **тепло**");
    await expect(talk.locator("article[aria-busy=true]")).toContainText("Будет тепло");
    answer.finish();
    await expect(talk.locator("article[aria-busy=true]")).toHaveCount(0);
    await expect(talk.getByRole("article").filter({ hasText: "Будет тепло." })).toHaveCount(1);
  });
});
