import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { startServerProcess } from "../../scripts/server-process.ts";
import { expectAccessibleInBothThemes } from "./setup/axe.ts";
import { test as base } from "./setup/test.ts";

/** The fixed time of server and browser: the demo's times are before it. */
const NOW = "2026-11-20T12:00:00Z";

const test = base.extend<object, { stopped: string }>({
  stopped: [
    async ({ browserName: _ }, use) => {
      const dataDir = await mkdtemp(join(tmpdir(), "obelus-looks-"));
      const NODE_OPTIONS = "--import ./e2e/console/setup/stopped-clock.ts";
      const server = await startServerProcess(dataDir, { env: { NODE_OPTIONS, STOPPED_AT: NOW, TZ: "UTC" } });
      await use(server.address);
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
    { scope: "worker" },
  ],
  baseURL: ({ stopped }, use) => use(stopped),
});

test.use({ timezoneId: "UTC", viewport: { width: 1280, height: 800 } });

interface View {
  /** The screenshots' name. */
  name: string;
  address: string;
  /** Actions before the screenshot. */
  act?: (page: Page) => Promise<void>;
  /** What appears last. */
  shown: (page: Page) => Locator;
  language?: "ru";
  width?: number;
}

const live = (page: Page): Locator => page.locator("[data-connection=live]").first();
const graph = (page: Page): Locator => page.locator(".pg-node, .sg-node").first();
const map = (page: Page): Locator => page.locator(".sm-card").first();
const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first();

const VIEWS: View[] = [
  { name: "list", address: "/", shown: live },
  { name: "list-hits", address: "/?q=refund", shown: (page) => page.locator("mark").first() },
  { name: "studio-state", address: "/conversations/demo-wrong-size?at=30&tab=state", shown: graph },
  { name: "studio-call", address: "/conversations/demo-refund-88412?call=refund", shown: graph },
  { name: "studio-map", address: "/conversations/demo-refund-88412?plan=session", shown: map },
  { name: "studio-stages", address: "/conversations/demo-coffee-shop?graph=stages", shown: graph },
  { name: "approvals", address: "/approvals?status=approved", shown: live },
  { name: "alerts", address: "/approvals/alerts", shown: live },
  { name: "agents", address: "/agents", shown: live },
  {
    name: "playground",
    address: "/plans",
    act: (page) => page.getByRole("button", { name: "Lost parcel" }).click(),
    shown: graph,
  },
  { name: "compare", address: "/compare?a=demo-example-weather-branch&b=demo-wrong-size", shown: live },
  { name: "prompts", address: "/prompts", shown: live },
  { name: "transcript", address: "/conversations/demo-wrong-size/transcript", shown: text("Order 5521") },
  { name: "api-docs", address: "/api-docs", shown: text("API") },
  { name: "new", address: "/new", shown: live },
  { name: "not-found", address: "/no/such/page", shown: text("Page not found") },
  { name: "list-ru", address: "/", language: "ru", shown: live },
  { name: "list-1024", address: "/", width: 1024, shown: live },
  { name: "studio-ru", address: "/conversations/demo-deal-1842", language: "ru", shown: graph },
  { name: "studio-1024", address: "/conversations/demo-wrong-size", width: 1024, shown: graph },
];

for (const { name, address, act, shown, language, width } of VIEWS) {
  test(`C: it looks as in the screenshots, in both themes, and axe reports nothing: ${name}`, async ({
    page,
    context,
    baseURL,
  }) => {
    if (language) await context.addCookies([{ name: "obelus-locale", value: language, url: baseURL ?? "" }]);
    if (width) await page.setViewportSize({ width, height: 768 });
    await page.clock.setFixedTime(NOW);
    await page.goto(address);
    await act?.(page);
    await expect(shown(page)).toBeVisible();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await expect(page).toHaveScreenshot(`${name}-${colorScheme}.png`);
    }
    await expectAccessibleInBothThemes(page);
  });
}
