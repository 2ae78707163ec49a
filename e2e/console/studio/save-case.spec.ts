import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { test } from "../setup/test.ts";

const says = (role: string, content: string, id: string) => ({
  ...{ conversation_id: id, type: "message.created", payload: { message_id: randomUUID(), role, content } },
});
const call = (type: string, payload: object, id: string) => ({
  ...{ conversation_id: id, run_id: `${id}-r`, type: `call.${type}` },
  payload: { call_id: "refund", tool: "payments.refund", ...payload },
});

/** A question with a refund, and another one; null if the second got no answer. */
async function record(request: APIRequestContext): Promise<string> {
  const id = `case-${randomUUID()}`;
  const events = [
    says("user", "Refund order 88213, I am anna@example.com", id),
    call("started", { params: { order: 88213, amount: 84 } }, id),
    call("succeeded", { output: { refund: "rf_208" } }, id),
    ...[
      says("assistant", "I refunded 84 euros.", id),
      says("user", "And the fee?", id),
      says("assistant", "It is yours.", id),
    ],
  ];
  expect((await request.post("/api/events", { data: events })).status()).toBe(201);
  return id;
}

async function saved(page: Page, menu: string, item: string): Promise<{ cases: { turns: { message: string }[] }[] }> {
  await page.getByRole("button", { name: menu, exact: true }).click();
  const coming = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: item }).click();
  return JSON.parse(await readFile(await (await coming).path(), "utf8"));
}

/** A test cannot use the browser's file dialog. */
async function open(page: Page, address: string): Promise<void> {
  await page.addInitScript(() => {
    window.showSaveFilePicker = undefined;
  });
  await page.goto(address);
  await expect(page.getByText("Loading the timeline…")).toHaveCount(0);
}

test("a session is saved as a case, from its start or from the step that is shown", { tag: "@postgres" }, async ({
  page,
  request,
}) => {
  const id = await record(request);
  await open(page, `/conversations/${id}`);
  const whole = await saved(page, "More", "Download as a test case");
  expect(whole).toMatchObject({
    cases: [
      {
        title: "Refund order 88213, I am [redacted:email]",
        turns: [
          {
            message: "Refund order 88213, I am [redacted:email]",
            steps: [{ tool: "payments.refund", params: { amount: 84 } }, {}],
          },
          { message: "And the fee?" },
        ],
        expected: [{ kind: "same_calls" }],
      },
    ],
  });

  await open(page, `/conversations/${id}?at=4`);
  const rest = await saved(page, "More", "Download as a test case");
  expect(rest).toMatchObject({ cases: [{ before: { messages: [{}, { content: "I refunded 84 euros." }] } }] });
  expect(rest.cases[0]?.turns.map(({ message }) => message)).toEqual(["And the fee?"]);
});

test("in Russian", async ({ page, request, context, baseURL }) => {
  await context.addCookies([{ name: "obelus-locale", value: "ru", url: baseURL ?? "" }]);
  await open(page, `/conversations/${await record(request)}`);
  expect((await saved(page, "Ещё", "Скачать как тест")).cases).toHaveLength(1);
});
