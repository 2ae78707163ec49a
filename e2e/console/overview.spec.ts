import { randomUUID } from "node:crypto";
import { type APIRequestContext, expect } from "@playwright/test";
import { expectAccessible } from "./setup/axe.ts";
import { test } from "./setup/test.ts";

const HOUR_MS = 3_600_000;

/** Conversations of one turn with a call of a tool, some hours ago. */
async function record(
  request: APIRequestContext,
  agent: string,
  tool: string,
  count: number,
  hours: number,
  broken = false,
) {
  const data = Array.from({ length: count }, (_, number) => {
    const id = `overview-${randomUUID()}`;
    const fails = broken && number % 2 === 0;
    const begin = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - hours * HOUR_MS + number * 1_000;
    const call = { call_id: "c", tool };
    const step = (type: string, payload: object, after: number, run: string | null = `${id}-r`) => ({
      ...{ conversation_id: id, type, payload, agent_id: agent, run_id: run },
      occurred_at: new Date(begin + after).toISOString(),
    });
    return [
      step("conversation.created", { title: `Order ${number} of ${agent}`, channel: "web" }, 0, null),
      step("run.started", { agent_version: broken ? "2.8.0" : "2.7.4" }, 10),
      step("call.started", call, 20),
      fails
        ? step(
            "call.failed",
            { ...call, error: { code: "currency_mismatch", message: `charge ch_${number} is in EUR` } },
            110,
          )
        : step("call.succeeded", { ...call, output: number }, 420),
      step("run.finished", {}, 900),
    ];
  }).flat();
  expect((await request.post("/api/events", { data })).status()).toBe(201);
}

test("what got worse leads from the overview to the conversations, and to the failed call in the session", async ({
  page,
  request,
}) => {
  const agent = `support-${randomUUID().slice(0, 8)}`;
  const tool = `refund-${randomUUID().slice(0, 8)}`;
  await record(request, agent, tool, 40, 200);
  await record(request, agent, tool, 40, 5, true);
  await expect.poll(async () => (await (await request.get(`/api/overview?agent=${agent}`)).json()).now.turns).toBe(40);
  await page.goto(`/overview?agent=${agent}`);
  await expect(page.getByRole("heading", { name: `${tool} fails since ${agent} 2.8.0` })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Open the 20 conversations" }).click();
  await expect(page.getByRole("table").locator("a[id^=conversation-]")).toHaveCount(20);
  await expect(page.getByText("Call failed", { exact: true })).toBeVisible();
  await page.goBack();
  await page.getByRole("link", { name: `Errors of ${tool}` }).click();
  await expect(page.getByRole("heading", { level: 1, name: tool })).toBeVisible();
  await expect(page.getByText("currency_mismatch")).toBeVisible();
  await expectAccessible(page);
  await page
    .getByRole("link", { name: /Order \d+ of/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/conversations\/overview-.*\?at=4$/);
  // From a call one comes to its tool.
  await page
    .getByRole("region", { name: "Thread", exact: true })
    .getByRole("button", { name: new RegExp(`Failed ${tool}`) })
    .click();
  await page.getByRole("link", { name: tool }).first().click();
  await expect(page).toHaveURL(new RegExp(`/tools/${tool}$`));
});

test("the version to blame is compared with the one before; a judge is written, and its scores lead to the list", async ({
  page,
  request,
}) => {
  const agent = `versions-${randomUUID().slice(0, 8)}`;
  const name = `judge-${randomUUID().slice(0, 8)}`;
  await record(request, agent, `refund-${agent}`, 40, 200);
  await record(request, agent, `refund-${agent}`, 40, 5, true);
  await expect.poll(async () => (await (await request.get(`/api/overview?agent=${agent}`)).json()).now.turns).toBe(40);
  await page.goto(`/overview?agent=${agent}`);
  await page.getByRole("link", { name: "Compare 2.8.0 with the version before" }).click();
  await expect(page).toHaveURL(/\/overview\/versions/);
  await page.goto(`/overview/versions?agent=${agent}`);
  await expect(page.getByRole("heading", { name: "2.8.0 is worse: calls fail" })).toBeVisible();
  await expectAccessible(page);
  const row = page.getByRole("row", { name: /Conversations with a failed call/ });
  await expect(row).toContainText("beyond chance");
  await row.getByRole("link", { name: "50.0%" }).click();
  await expect(page.getByRole("table").locator("a[id^=conversation-]")).toHaveCount(20);
  await page.goto("/overview/judges");
  await page.getByRole("button", { name: "New judge" }).first().click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Name of its scores").fill("faithful");
  await page.getByLabel("Scale").selectOption("a number");
  await page.getByLabel("What it is asked").fill("Is it so? {{transcript}}");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save" }).click();
  const judge = page.getByRole("row", { name: new RegExp(name) });
  await expect(judge).toContainText("1 – 5");
  await judge.getByRole("button", { name }).click();
  await page.getByRole("checkbox").uncheck();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(judge).toContainText("off");
});

test("a chart is walked with the arrow keys, and is a table with the same cells", async ({ page, request }) => {
  const agent = `walk-${randomUUID().slice(0, 8)}`;
  await record(request, agent, "search", 6, 2, true);
  await expect.poll(async () => (await (await request.get(`/api/overview?agent=${agent}`)).json()).now.turns).toBe(6);
  await page.goto(`/overview?agent=${agent}&period=24h`);
  const chart = page.getByRole("listitem").filter({ hasText: "Failed calls" }).getByRole("link");
  await chart.focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expect(chart).toHaveAccessibleName(/3 of 6 calls failed/);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("table").locator("a[id^=conversation-]")).toHaveCount(3);
  await page.goto(`/overview?agent=${agent}&period=24h&view=table`);
  await page.getByRole("region", { name: "Figures by time" }).getByRole("link", { name: "50.0%" }).click();
  await expect(page.getByRole("table").locator("a[id^=conversation-]")).toHaveCount(3);
});

test("in Russian and in the dark, nothing is cut off on a phone", async ({ page, request, context, baseURL }) => {
  const agent = `phone-${randomUUID().slice(0, 8)}`;
  await record(request, agent, "search", 4, 2, true);
  await context.addCookies([{ name: "obelus-locale", value: "ru", url: baseURL ?? "" }]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: "dark" });
  const addresses = [
    ...[`/overview?agent=${agent}`, "/tools", "/tools/search"],
    ...[`/overview/versions?agent=${agent}`, "/overview/judges"],
  ];
  for (const address of addresses) {
    await page.goto(address);
    await expect(page.getByRole("main")).toBeVisible();
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
    await expectAccessible(page);
  }
});
