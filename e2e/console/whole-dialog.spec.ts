import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type APIRequestContext, expect, type Locator, type Page } from "@playwright/test";
import { startServerProcess } from "../../scripts/server-process.ts";
import { startBotApi } from "../bot-api.ts";
import { thread } from "./setup/live-run.ts";
import { openStudio } from "./setup/recorded.ts";
import { test } from "./setup/test.ts";

const SECRET = "a-secret-of-the-webhook";
const MANAGERS = -100_555;
const CHAT = 4711;
const CONVERSATION = `telegram:${CHAT}`;

/** A message, its answer, and the stage afterwards. */
const SCENARIO: { said: string; answered: RegExp; stage: string; way: string[] }[] = [
  { said: "Сколько стоит ассистент?", answered: /Наши цены/, stage: "admin", way: ["Administrator"] },
  {
    ...{ said: "Покажите демо для стоматологии", answered: /\[Демонстрация\] Здравствуйте/, stage: "demo" },
    way: ["Administrator", "Demonstration"],
  },
  {
    ...{ said: "Сколько стоит чистка зубов?", answered: /\[Демонстрация\] .*₽/s, stage: "demo" },
    way: ["Demonstration"],
  },
  { said: "Позовите менеджера", answered: /позвал менеджера/, stage: "demo", way: ["Demonstration"] },
  { said: "стоп", answered: /администратор/i, stage: "admin", way: ["Administrator"] },
];

test("D1-D11: a dialog over Telegram from the administrator through a demonstration to a manager and back, and its replay step by step", async ({
  page,
}) => {
  const bot = await startBotApi();
  const dataDir = await mkdtemp(join(tmpdir(), "obelus-whole-"));
  const server = await startServerProcess(dataDir, {
    env: {
      ...{ OBELUS_DEMO: "0", TELEGRAM_BOT_TOKEN: "123456:AAE-token", TELEGRAM_WEBHOOK_SECRET: SECRET },
      ...{ TELEGRAM_API_ROOT: bot.root, TELEGRAM_ADMIN_CHAT: String(MANAGERS) },
    },
  });
  try {
    const here = `${server.address}/api/conversations/${CONVERSATION}`;
    const read = async (address: string) => (await page.request.get(address)).json();
    for (const [index, { said, answered, stage }] of SCENARIO.entries()) {
      await update(page.request, server.address, index, said);
      const shown = await bot.shown(CHAT, index + 1);
      expect(shown.at(-1)?.text).toMatch(answered);
      expect((await read(here)).stage).toBe(stage);
    }
    const configuration = await read(`${server.address}/api/agent-state/dialog:${CONVERSATION}/configuration`);
    expect(configuration.niche).toBe("стоматология");
    const [alert] = await bot.shown(MANAGERS, 1);
    expect(alert?.text).toContain("Позовите менеджера");
    const inbox = await read(`${server.address}/api/alerts`);
    expect(inbox.items).toMatchObject([{ conversation_id: CONVERSATION, agent_id: "demo", open: true }]);

    await page.goto(`${server.address}/approvals/alerts`);
    await expect(page.getByRole("main")).toContainText("Позовите менеджера");
    await replay(page, server.address, (await read(`${here}/events?limit=1000`)).items);
  } finally {
    await server.stop();
    bot.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});

/** A message, as a Telegram update. */
async function update(request: APIRequestContext, server: string, index: number, text: string): Promise<void> {
  const from = { id: CHAT, is_bot: false, first_name: "Анна", language_code: "ru" };
  const chat = { id: CHAT, type: "private", first_name: "Анна" };
  const message = { message_id: index + 1, date: 1_795_000_000 + index, chat, from, text };
  const answer = await request.post(`${server}/api/telegram/webhook`, {
    data: { update_id: 900 + index, message },
    headers: { "x-telegram-bot-api-secret-token": SECRET },
  });
  expect(answer.status()).toBe(200);
}

interface Recorded {
  seq: number;
  type: string;
  payload: { role?: string };
}

/** Goes through the session with the keyboard, from the end of one turn to the next. */
async function replay(page: Page, server: string, events: Recorded[]): Promise<void> {
  const ends = events.filter(({ type }) => type === "run.finished").map(({ seq }) => seq);
  expect(ends).toHaveLength(SCENARIO.length);
  await openStudio(page, `${server}/conversations/${CONVERSATION}?graph=stages&at=1`);
  await expect(page.getByText(/^You are viewing step/).first()).toBeVisible();
  await expect(thread(page)).not.toContainText("Сколько стоит");
  for (const [index, { said, answered, way }] of SCENARIO.entries()) {
    // Each step with its key, to the end of the turn.
    const from = index === 0 ? 1 : (ends[index - 1] ?? 1);
    const to = ends[index] ?? from;
    for (let step = from; step < to; step++) await page.keyboard.press("ArrowRight");
    // The newest step has no parameter in the address.
    if (to === events.length) await expect(page).not.toHaveURL(/at=/);
    else await expect(page).toHaveURL(new RegExp(`at=${to}(&|$)`));
    await expect(thread(page)).toContainText(said);
    await expect(thread(page).getByRole("article").filter({ hasText: answered }).last()).toBeVisible();
    for (const name of way) await expect(node(page, name)).toHaveAccessibleName(/in the path/);
    const later = SCENARIO[index + 1];
    if (later) await expect(thread(page)).not.toContainText(later.said);
  }
  await expect(thread(page)).toContainText("Stage: Demonstration → Administrator, on “стоп”");
}

const node = (page: Page, name: string): Locator =>
  page.getByRole("region", { name: "Stage graph" }).getByRole("button", { name: new RegExp(`^${name},`) });
