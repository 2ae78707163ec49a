import { afterEach, expect, it, vi } from "vitest";
import { caseResult, suiteResult } from "../../lib/suites/result.ts";
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

it("prints what was said without what a terminal would carry out", async () => {
  vi.stubEnv("GITHUB_STEP_SUMMARY", "");
  const told: string[] = [];
  vi.spyOn(console, "log").mockImplementation((line) => void told.push(line));
  const title = "Refund \u001b[2J\u009b2J\r\nall \u202egnp";
  const one = caseResult({ id: "a", title, tags: [] }, []);
  const values = { agent: "support", tries: 1, unrecorded: "stop" as const };
  for (const json of [false, true]) await report(suiteResult("refunds", [one], 0), "support", { ...values, json });
  expect(told[0]).toContain("\\u001b[2J\\u009b2J\\u000d\\u000aall \\u202egnp");
  expect(JSON.parse(told.at(-1) ?? "")).toMatchObject({ cases: [{ title }] });
  expect(told.join("").replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
});
