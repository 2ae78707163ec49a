import { defineConfig } from "@playwright/test";
import { findChromium } from "./scripts/chromium.mjs";

/** Each worker's server: lists are live, so that two tests at one server would see each other. */
const servers = process.env.OBELUS_E2E_URLS?.split(" ") ?? [];

export default defineConfig({
  testDir: "e2e/console",
  outputDir: "test-results/browser",
  globalSetup: "./e2e/serve.ts",
  // A test waits as long as it works: two at once take two thirds of the time on two cores.
  workers: 2,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  // A slow machine is no failure: what is wrong fails by what it expects.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: "list",
  use: {
    baseURL: servers[Number(process.env.TEST_PARALLEL_INDEX)],
    browserName: "chromium",
    locale: "en-GB",
    viewport: { width: 1440, height: 900 },
    launchOptions: { executablePath: findChromium(), args: ["--disable-quic", "--disable-gpu"] },
    // It is taken of every test, passed ones too, and takes a third of the time: CI has the picture and the page's snapshot.
    trace: process.env.CI ? "off" : "retain-on-failure",
    screenshot: "only-on-failure",
  },
});
