import { defineConfig } from "@playwright/test";
import { findChromium } from "./scripts/chromium.mjs";

/** Each worker's server: lists are live, so that two tests at one server would see each other. */
const servers = process.env.OBELUS_E2E_URLS?.split(" ") ?? [];

/** Letters are drawn alike wherever there are no hints and no subpixels to go by. */
const ARGUMENTS = ["--disable-quic", "--disable-gpu", "--font-render-hinting=none", "--disable-lcd-text"];

export default defineConfig({
  testDir: "e2e/console",
  outputDir: "test-results/browser",
  globalSetup: "./e2e/serve.ts",
  // Two leave a tenth of two cores unused.
  workers: 3,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  // A slow machine is no failure: what is wrong fails by what it expects.
  timeout: 180_000,
  expect: {
    timeout: 30_000,
    // A broken layout is found, how another Chromium smooths its letters is not.
    toHaveScreenshot: { maxDiffPixelRatio: 0.01, threshold: 0.25 },
  },
  snapshotPathTemplate: "{testDir}/looks/{arg}{ext}",
  updateSnapshots: process.env.CI ? "none" : "missing",
  reporter: "list",
  use: {
    // A click on what is not there fails by itself, not with its whole test.
    actionTimeout: 30_000,
    baseURL: servers[Number(process.env.TEST_PARALLEL_INDEX)],
    browserName: "chromium",
    locale: "en-GB",
    viewport: { width: 1440, height: 900 },
    // The next test gets the same window, emptied: a new one costs each page a quarter more.
    reuseContext: true,
    // Spinners of what runs take a fifth of a core, and nobody looks at them.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: { executablePath: findChromium(), args: ARGUMENTS },
    // It is taken of every test, passed ones too, and takes a third of the time: CI has the picture and the page's snapshot.
    trace: process.env.CI ? "off" : "retain-on-failure",
    screenshot: "only-on-failure",
  },
});
