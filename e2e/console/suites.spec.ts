import { randomUUID } from "node:crypto";
import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { expectAccessible } from "./setup/axe.ts";
import { test } from "./setup/test.ts";

const WORDS = {
  en: {
    asks: "who are you?",
    more: "More",
    save: "Save to a suite",
    suite: "Suite",
    new: "A new suite",
    name: "Name of the suite",
    title: "Title of the case",
    it: "Save",
    saved: /^Saved to/,
    open: "Open the suite",
    none: "No run yet",
    firstRun: "Run",
    close: "Close",
    change: "Change and run",
    instructions: "Instructions",
    start: "Run 1 case",
    passed: /3 tries/,
    case: /^Open the difference of/,
    first: "First difference",
    words: "Words to the user",
    right: /^Is this right\?/,
    made: /^This is expected now/,
    expectScore: "Expect a score",
    score: "Score",
    least: "At least",
    add: "Add",
    expected: /^The score careful/,
    promote: "Promote",
    current: /has this version/,
    back: "Take it back",
    backIt: "Take it back",
  },
  ru: {
    asks: "кто вы?",
    more: "Ещё",
    save: "Сохранить в набор",
    suite: "Набор",
    new: "Новый набор",
    name: "Название набора",
    title: "Название теста",
    it: "Сохранить",
    saved: /^Сохранено в/,
    open: "Открыть набор",
    none: "Прогонов пока нет",
    firstRun: "Запустить",
    close: "Закрыть",
    change: "Изменить и запустить",
    instructions: "Инструкции",
    start: "Запустить 1 тест",
    passed: /3 попытки/,
    case: /^Открыть отличия/,
    first: "Первое отличие",
    words: "Слова пользователю",
    right: /^Так правильно\?/,
    made: /^Теперь ожидается это/,
    expectScore: "Ожидать оценку",
    score: "Оценка",
    least: "Не меньше",
    add: "Добавить",
    expected: /^Теперь ожидается оценка careful/,
    promote: "Сделать основной",
    current: /эта версия/,
    back: "Вернуть прежнюю",
    backIt: "Вернуть",
  },
} as const;

/** An agent that does not know what it is asked, and a session in which it says so. */
async function failure(request: APIRequestContext, asks: string): Promise<{ agent: string; conversation: string }> {
  const [agent, conversation] = [`helper-${randomUUID().slice(0, 8)}`, `failed-${randomUUID().slice(0, 8)}`];
  const definition = { instructions: "You help customers.", tools: [], mode: "full" };
  expect((await request.put(`/api/agents/${agent}`, { data: definition })).status()).toBe(201);
  await request.post("/api/conversations", { data: { id: conversation, user_id: conversation, agent_id: agent } });
  await request.post(`/api/conversations/${conversation}/messages`, { data: { content: asks } });
  await expect
    .poll(async () => (await (await request.get(`/api/conversations/${conversation}/messages`)).json()).items.length)
    .toBe(2);
  return { agent, conversation };
}

/** Starts a run of the form, and waits for all three tries. */
async function run(page: Page, words: (typeof WORDS)["en" | "ru"], outcome: "passed" | "failed"): Promise<void> {
  const before = page.url();
  await page.getByRole("button", { name: words.start }).click();
  await expect.poll(() => page.url()).not.toBe(before);
  await expect(page.getByRole("button", { name: words.change })).toBeFocused();
  await expect(page.locator(`.square[data-outcome="${outcome}"]`)).toHaveCount(3);
}

for (const locale of ["en", "ru"] as const) {
  test(`a failure becomes a case, a changed agent is tried on it and promoted: ${locale}`, {
    tag: "@postgres",
  }, async ({ page, request, context, baseURL }) => {
    const words = WORDS[locale];
    await context.addCookies([{ name: "obelus-locale", value: locale, url: baseURL ?? "" }]);
    const { agent, conversation } = await failure(request, words.asks);
    const suite = `who-${randomUUID().slice(0, 8)}`;

    await page.goto(`/conversations/${conversation}`);
    await page.getByRole("button", { name: words.more, exact: true }).click();
    await page.getByRole("menuitem", { name: words.save }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByLabel(words.title)).toBeVisible();
    // The server may have suites of other tests.
    const choice = dialog.getByRole("combobox", { name: words.suite });
    if ((await choice.count()) > 0) await choice.selectOption(words.new);
    await dialog.getByLabel(words.name).fill(suite);
    await dialog.getByLabel(words.title).fill(words.asks);
    await dialog.getByRole("button", { name: words.it, exact: true }).click();
    await expect(dialog.getByText(words.saved)).toBeFocused();
    await dialog.getByRole("button", { name: words.open }).click();

    await expect(page.getByRole("heading", { name: words.none })).toBeVisible();
    const first = page.getByRole("button", { name: words.firstRun, exact: true });
    await first.click();
    await page.getByRole("button", { name: words.close }).press("Enter");
    await expect(first).toBeFocused();
    await first.click();
    await page.getByRole("combobox").first().selectOption(agent);
    const instructions = page.getByRole("textbox", { name: words.instructions });
    await expect(instructions).toHaveValue("You help customers.");
    await instructions.fill("You are the administrator of the studio Otklik. Answer questions about it.");
    await run(page, words, "passed");
    await expectAccessible(page);

    // It makes the same calls, none, and says something else.
    await page.getByRole("link", { name: words.case }).click();
    await expect(page.getByText(words.first, { exact: true })).toBeVisible();
    const said = page.getByRole("region", { name: words.words });
    await expect(said.locator("ins").first()).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: words.right }).click();
    await expect(page.getByText(words.made)).toBeVisible();
    const judge = { agent, score: "careful", prompt: "{{answer}}", scale: { kind: "boolean" } };
    await request.put(`/api/judges/${suite}`, { data: judge });
    await page.getByRole("button", { name: words.expectScore }).click();
    await dialog.getByLabel(words.score, { exact: true }).fill("careful");
    await dialog.getByLabel(words.least).fill("1");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: words.add }).click();
    await expect(page.getByText(words.expected)).toBeVisible();

    // The agent as it is does not hold that any more; the changed one does.
    await page.getByRole("link", { name: suite }).click();
    await page.getByRole("button", { name: words.change }).click();
    await instructions.fill("You help customers.");
    await run(page, words, "failed");
    await page.getByRole("button", { name: words.change }).click();
    await instructions.fill("You are the administrator of the studio Otklik. Answer questions about it.");
    await run(page, words, "passed");

    await page.getByRole("button", { name: words.promote, exact: true }).click();
    const asked = page.getByRole("dialog", { name: words.promote });
    await asked.getByRole("button", { name: words.promote, exact: true }).click();
    await expect(page.getByText(words.current)).toBeVisible();
    const definition = async () => (await (await request.get(`/api/agents/${agent}`)).json()).instructions;
    expect(await definition()).toContain("administrator of the studio Otklik");

    await page.getByRole("button", { name: new RegExp(words.back) }).click();
    await page.getByRole("dialog").getByRole("button", { name: words.backIt, exact: true }).click();
    await expect.poll(definition).toBe("You help customers.");
    await request.delete(`/api/judges/${suite}`);
  });
}
