import { describe, expect, it, test } from "vitest";
import { type Manner, writeDates } from "./dates.ts";

const moscow: Manner = { timezone: "Europe/Moscow", locale: "ru" };
const london: Manner = { timezone: "Europe/London", locale: "en" };

describe("D10: dates and times in answers are formatted in the conversation's zone and language", () => {
  test.each([
    ["Встреча 2026-11-22T12:02:31Z.", "Встреча 22 ноября 2026 г. в 15:02."],
    ["с 2026-12-31T22:30:00.123+00:00 по 2027-01-01", "с 1 января 2027 г. в 01:30 по 1 января 2027 г."],
    ["срок: 2026-11-22T15:00:00+0500", "срок: 22 ноября 2026 г. в 13:00"],
    ["срок: 2026-11-22 18:00", "срок: 22 ноября 2026 г. в 18:00"],
    ["(2026-02-28)", "(28 февраля 2026 г.)"],
    ["2026-11-22, 2026-11-23", "22 ноября 2026 г., 23 ноября 2026 г."],
  ])("%s", (text, written) => expect(writeDates(text, moscow)).toBe(written));

  it("in English, with summer time", () => {
    expect(writeDates("from 2026-07-01T09:00:00Z to 2026-12-01T09:00:00Z", london)).toBe(
      "from 1 July 2026 at 10:00 to 1 December 2026 at 09:00",
    );
  });

  test.each([
    "2026-02-30",
    "2026-13-01",
    "2026-11-22T25:00:00Z",
    "report-2026-11-22.csv",
    "2026-11-22.csv",
    "order 12026-11-22",
    "https://example.org/2026-11-22/x",
    "?from=2026-11-22&to=2026-11-23",
    "2026-11-22-001",
    "v2026-11-22",
  ])("what is no date of its own stays: %s", (text) => expect(writeDates(text, moscow)).toBe(text));

  it("an unknown zone is ignored", () => {
    expect(writeDates("2026-11-22", { timezone: "Mars/Olympus", locale: "en" })).toBe("22 November 2026");
  });
});
