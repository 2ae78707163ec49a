import { expect, test } from "vitest";
import { readConfig } from "../config.ts";

test("Security: retention is in days, for all and by channel; without it everything is kept", () => {
  expect(readConfig({ OBELUS_RETENTION: "365d, telegram=90d,webchat=30d" }).retention).toEqual([
    { channel: null, days: 365 },
    { channel: "telegram", days: 90 },
    { channel: "webchat", days: 30 },
  ]);
  expect(readConfig({}).retention).toEqual([]);
  for (const wrong of ["90", "telegram=90", "0d", "90d,30d", "telegram=9d,telegram=8d", "90d,"])
    expect(() => readConfig({ OBELUS_RETENTION: wrong })).toThrow("OBELUS_RETENTION");
});

test("Security: by default logs are redacted; exports and stored data are not", () => {
  expect(readConfig({}).redaction).toEqual({ logs: ["keys", "cards"], exports: [], stored: [] });
  const { redaction } = readConfig({ OBELUS_REDACT_LOGS: "none", OBELUS_REDACT_STORED: "emails, phones" });
  expect(redaction).toMatchObject({ logs: [], stored: ["emails", "phones"] });
  expect(() => readConfig({ OBELUS_REDACT_EXPORTS: "names" })).toThrow("none, or any of keys, cards, emails, phones");
});
