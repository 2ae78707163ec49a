import { randomUUID } from "node:crypto";
import { type APIRequestContext, expect, type Locator, type Page } from "@playwright/test";
import { expectAccessible } from "../setup/axe.ts";
import { test } from "../setup/test.ts";

const template = (page: Page): Locator => page.getByRole("textbox", { name: "Template" });
const result = (page: Page): Locator => page.getByRole("region", { name: "Rendered prompt" });
const setting = (page: Page, name: string): Locator => page.getByLabel(name);
/** Prompt warnings by placeholder, as links. */
const warning = (page: Page, placeholder: string): Locator =>
  page.getByRole("region", { name: "Prompt warnings" }).getByRole("button", { name: `{{${placeholder}}}` });

/** Opens the Prompts page and waits until it has rendered. */
async function openWorkbench(page: Page, query = ""): Promise<void> {
  await page.goto(`/prompts${query}`);
  await expect(result(page)).toBeVisible();
}

/** Records a conversation of some messages with a unique word. Returns its id, which is one of them. */
async function record(request: APIRequestContext, ...said: string[]): Promise<string> {
  const id = `bench${randomUUID().slice(0, 8)}`;
  const data = said.map((content, index) => ({
    conversation_id: id,
    role: index % 2 === 0 ? "user" : "assistant",
    content,
    user_id: "vera",
    created_at: `2026-11-20T09:0${index}:00Z`,
  }));
  expect((await request.post("/api/messages", { data })).status()).toBe(201);
  return id;
}

test("H6: a template is rendered for a step of a conversation that is found by its words, and the link restores everything", async ({
  page,
  request,
}) => {
  const word = `quince${randomUUID().slice(0, 8)}`;
  const id = await record(request, `Where is my ${word}?`, "On its way.", "Thank you!");
  await openWorkbench(page);
  await page.keyboard.press("/");
  await page.keyboard.type(word);
  await expect(page.getByRole("option", { name: /Where is my/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(result(page)).toContainText("Thank you!");

  await template(page).fill("For ");
  await page.getByRole("button", { name: "userId" }).click();
  await page.keyboard.type(": ");
  await page.getByRole("button", { name: "messageHistory" }).click();
  await expect(template(page)).toHaveValue("For {{userId}}: {{messageHistory}}");
  await expect(result(page)).toContainText("vera");
  await page.getByRole("textbox", { name: "Step" }).fill("2");
  await page.getByText("Русский").last().click();
  await setting(page, "Time zone").fill("Asia/Tokyo");
  await expect(result(page)).toContainText("[18:01] Ассистент: On its way.");
  await expect(result(page)).not.toContainText("Thank you!");

  await expect(page).toHaveURL(/#template=/);
  await expect(page).toHaveURL(new RegExp(`conversation=${id}&at=2&locale=ru&timezone=Asia%2FTokyo`));
  const shown = await result(page).textContent();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await expect(template(other)).toHaveValue("For {{userId}}: {{messageHistory}}");
  await expect.poll(() => result(other).textContent()).toBe(shown);
});

test("H1, H6: a warning names missing data, and leads to each place in the template that uses it", async ({ page }) => {
  await openWorkbench(page);
  const lines = "A line of a long template.\n".repeat(200);
  await template(page).fill(`${lines}{{household}} and {{ householdId }}\n${lines}{{householdId|none}}`);
  await expect(warning(page, "household")).toBeVisible();
  const selected = () =>
    template(page).evaluate((field: HTMLTextAreaElement) => ({
      text: field.value.slice(field.selectionStart, field.selectionEnd),
      scrolled: field.scrollTop > 0,
    }));
  await template(page).press("ControlOrMeta+Home");
  await warning(page, "householdId").click();
  expect(await selected()).toEqual({ text: "{{ householdId }}", scrolled: true });
  await warning(page, "householdId").click();
  expect(await selected()).toEqual({ text: "{{householdId|none}}", scrolled: true });
});

test("H4: an error of the server is shown at its field, and the previous prompt stays", async ({ page, request }) => {
  const id = await record(request, "Hello.", "Good day.");
  await openWorkbench(page, `?conversation=${id}`);
  await expect(result(page)).toContainText("Good day.");
  const tokens = setting(page, "History: max tokens");
  await tokens.fill("5");
  await expect(tokens).toHaveAccessibleDescription("Enter at least 32 tokens.");
  await expect(result(page)).toContainText("Good day.");
  await tokens.fill("");
  const zone = setting(page, "Time zone");
  await zone.fill("Mars/Olympus");
  await zone.press("Enter");
  await expect(zone).toHaveAccessibleDescription("Unknown time zone. Enter one such as Europe/Moscow.");
  await zone.fill("");
  const step = page.getByRole("textbox", { name: "Step" });
  await step.fill("99");
  await expect(step).toHaveAccessibleDescription(/No such step: the last one is \d/);
  await step.fill("");
  await expect(step).not.toHaveAttribute("aria-invalid");
});

test("H6: a template is based on an agent's instructions and can be restored; one too long for a link stays in its tab, and says so", async ({
  page,
  request,
}) => {
  const id = `bench-${randomUUID().slice(0, 8)}`;
  const data = { instructions: "You sell quinces to {{userId|somebody}}." };
  expect((await request.put(`/api/agents/${id}`, { data })).ok()).toBe(true);
  await page.goto(`/agents?agent=${id}`);
  await page.getByRole("link", { name: "Try on the Prompts page" }).click();
  await expect(page).toHaveURL(new RegExp(`/prompts\\?agent=${id}$`));
  await expect(template(page)).toHaveValue(data.instructions);
  await expect(result(page)).toContainText("You sell quinces to");

  const long = `Мой шаблон. ${"слово ".repeat(2_000)}`;
  await template(page).fill(long);
  await expect(page.getByText("Too long for a link: stored in this tab only")).toBeVisible();
  await expect(page).toHaveURL(/#draft$/);
  await expect(result(page)).toContainText("Мой шаблон.");
  await page.reload();
  await expect(template(page)).toHaveValue(long);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await expect(other.getByText("The template was too long for a link")).toBeVisible();

  await page.getByRole("button", { name: `Restore ${id}’s template` }).click();
  await expect(template(page)).toHaveValue(data.instructions);
  await page.keyboard.press("ControlOrMeta+Z");
  await expect(template(page)).toHaveValue(long);

  const begin = async (from: string) => {
    await page.getByRole("button", { name: "Start from" }).click();
    await page.getByRole("menuitemradio", { name: from }).click();
  };
  await begin("Your own template");
  await template(page).fill("Mine, and none of theirs");
  await begin(`Instructions of ${id}`);
  await expect(template(page)).toHaveValue(data.instructions);
  await begin("Your own template");
  await expect(template(page)).toHaveValue("Mine, and none of theirs");
});

test("C: axe reports nothing on the Prompts page", async ({ page, request }) => {
  const id = await record(request, "Hello.", "Good day.");
  await openWorkbench(page, `?conversation=${id}`);
  await template(page).fill("{{userId}} {{household}} {{householdId|none}} {{messageHistory}}");
  await expect(warning(page, "household")).toBeVisible();
  await setting(page, "History: max tokens").fill("3");
  await expect(page.getByText("Enter at least")).toBeVisible();
  await expectAccessible(page);
});
