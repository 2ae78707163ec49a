import { afterEach, expect, it, vi } from "vitest";
import { suiteResult } from "../../lib/suites/result.ts";
import { report } from "./suite.ts";

const before = process.exitCode;
afterEach(() => {
  process.exitCode = before;
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

it("CI does not pass where no case was tried, as when all were removed meanwhile", async () => {
  vi.stubEnv("GITHUB_STEP_SUMMARY", "");
  const told = vi.spyOn(console, "log").mockReturnValue();
  await report(suiteResult("refunds", [], 0), "support", {
    agent: "support",
    tries: 1,
    unrecorded: "stop",
    json: false,
  });
  expect(process.exitCode).toBe(1);
  expect(told.mock.lastCall?.[0]).toContain("0 passed");
});
