import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { startServerProcess } from "../../../scripts/server-process.ts";
import { expectAccessible } from "../setup/axe.ts";
import { test } from "../setup/test.ts";

/** Opens the page and waits until it is connected. */
async function open(page: Page, query = ""): Promise<void> {
  await page.goto(`/connect${query}`);
  await expect(page.getByRole("banner").getByText("Live", { exact: true })).toBeVisible();
}

const proof = (page: Page) => page.getByRole("region", { name: "Incoming events" });
const code = (page: Page, id: string) => page.locator(`[data-snippet="${id}"]`);

test("C11: every snippet has this server's address, as the browser sees it", async ({ page, baseURL }) => {
  const port = new URL(baseURL ?? "").port;
  await page.goto(`http://localhost:${port}/connect`);
  await expect(code(page, "curl-message")).toContainText(`curl http://localhost:${port}/api/events`);
  await expectAccessible(page);
});

test("C11: the ways to connect are tabs in the address", async ({ page }) => {
  await open(page);
  await page.getByRole("tab", { name: "OpenTelemetry" }).click();
  await expect(page).toHaveURL(/\/connect\?tab=otel$/);
  await expect(code(page, "otel-env")).toContainText("OTEL_EXPORTER_OTLP_ENDPOINT=http");
  await page.keyboard.press("ArrowLeft");
  await expect(page).toHaveURL(/\/connect\?tab=python$/);
  await expect(page.getByRole("tab", { name: "Python", exact: true })).toBeFocused();
  await page.reload();
  await expect(code(page, "python-events")).toBeVisible();
  await expectAccessible(page);
});

test("C11: a snippet is copied, with a confirmation", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, "?tab=mcp");
  await page.getByRole("button", { name: "Copy: Other clients" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Copied: Other clients" })).toBeAttached();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(JSON.parse(copied)).toMatchObject({ mcpServers: { obelus: { type: "http" } } });
  expect(copied).toBe(await code(page, "mcp-json").textContent());
});

test("C11: before the first event the page waits, and the empty list links to it", async ({ page }) => {
  const dataDir = await mkdtemp(join(tmpdir(), "obelus-connect-"));
  const server = await startServerProcess(dataDir, { env: { OBELUS_DEMO: "0" } });
  try {
    await page.goto(server.address);
    await page.getByRole("link", { name: "TypeScript, Python, OpenTelemetry and other ways" }).click();
    await expect(page.getByRole("banner").getByText("Live", { exact: true })).toBeVisible();
    await expect(proof(page).getByText("Waiting for the first event. It appears here immediately.")).toBeVisible();
    await expect(proof(page).getByRole("listitem")).toHaveCount(0);
    await expectAccessible(page);
    const first = { conversation_id: "first", type: "log", payload: {} };
    expect((await page.request.post(`${server.address}/api/events`, { data: first })).status()).toBe(201);
    await expect(proof(page).getByRole("link", { name: "first" })).toBeVisible();
    await page.goto("about:blank");
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

test("C11: incoming events are shown at once, with links", async ({ page }) => {
  await open(page);
  await expect(proof(page).getByText("No events since you opened this page.")).toBeVisible();
  const id = `arrives-${Date.now()}`;
  const event = { conversation_id: id, type: "run.started", run_id: `${id}-run`, payload: {} };
  expect((await page.request.post("/api/events", { data: [event, { ...event, type: "run.finished" }] })).status()).toBe(
    201,
  );
  const row = proof(page).getByRole("listitem").first();
  await expect(row).toContainText("Run finished");
  await expect(row).toContainText("2 steps since you opened this page");
  await expect(proof(page).getByText("Events are arriving.")).toBeVisible();
  await expectAccessible(page);
  await row.getByRole("link", { name: id }).click();
  await expect(page).toHaveURL(new RegExp(`/conversations/${id}\\?at=2`));
});

test("C11: spans that wait for their parents are shown before they are a conversation", async ({ page }) => {
  await open(page, "?tab=otel");
  const traceId = Date.now().toString(16).padStart(32, "a");
  const span = {
    ...{ traceId, spanId: "b".repeat(16), parentSpanId: "c".repeat(16), name: "execute_tool find" },
    ...{ startTimeUnixNano: "1790000000000000000", endTimeUnixNano: "1790000001000000000" },
    attributes: [{ key: "gen_ai.operation.name", value: { stringValue: "execute_tool" } }],
  };
  const data = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
  expect((await page.request.post("/v1/traces", { data })).status()).toBe(200);
  await expect(proof(page).getByText("Spans of 1 trace have arrived")).toBeVisible();
  await expect(proof(page).getByRole("link", { name: traceId })).toBeVisible();
  await expect(proof(page).getByText("Spans of 1 trace have arrived")).toHaveCount(0);
});

test("C11: a test event is sent, and arrives on the stream", async ({ page }) => {
  await open(page);
  await proof(page).getByRole("button", { name: "Send a test event" }).click();
  await expect(proof(page).getByText(/^Stored as step \d+ and received on the live stream\.$/)).toBeVisible();
  await expect(proof(page).getByRole("link", { name: "connect-test" })).toBeVisible();
  const { items } = await (await page.request.get("/api/conversations/connect-test/messages")).json();
  expect(items.at(-1).content).toBe("Test from the Connect page");
});

test("C11: the page is in the navigation and in the palette", async ({ page }) => {
  await page.goto("/agents");
  await page.getByRole("navigation").getByRole("link", { name: "Connect" }).click();
  await expect(page.getByRole("heading", { name: "Connect", level: 1 })).toBeVisible();
  await open(page);
  await page.goto("/agents");
  await expect(page.getByRole("banner").getByText("Live", { exact: true })).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("connect");
  await page.getByRole("option", { name: "Connect", exact: true }).click();
  await expect(page).toHaveURL(/\/connect$/);
});

test.describe("in Russian", () => {
  test.use({ locale: "ru-RU" });

  test("C11: the page is translated", async ({ page }) => {
    await page.goto("/connect?tab=otel");
    await expect(page.getByRole("heading", { name: "Подключение", level: 1 })).toBeVisible();
    await expect(page.getByRole("region", { name: "Входящие события" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Копировать: Переменные окружения" })).toBeVisible();
    await expectAccessible(page);
  });
});
