import { defineConfig } from "@playwright/test";
import { findChromium } from "./scripts/chromium.mjs";

export default defineConfig({
  testDir: "e2e/console",
  outputDir: "test-results/browser",
  globalSetup: "./e2e/serve.ts",
  // One server with one live list for all: two tests at once would see each other.
  workers: 1,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: "list",
  use: {
    baseURL: process.env.OBELUS_E2E_URL,
    browserName: "chromium",
    locale: "en-GB",
    viewport: { width: 1440, height: 900 },
    launchOptions: { executablePath: findChromium(), args: ["--disable-quic", "--disable-gpu"] },
    // It is taken of every test, passed ones too, and takes a third of the time: CI has the picture and the page's snapshot.
    trace: process.env.CI ? "off" : "retain-on-failure",
    screenshot: "only-on-failure",
  },
});
