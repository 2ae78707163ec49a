import fc from "fast-check";
import { expect, test } from "vitest";
import { readTime, writeDay, writeTime } from "./times.ts";

test.each([
  ["2026-03-19T15:01:27+03:00", "2026-03-19T15:01:27+03:00"],
  ["2026-03-19T12:01:27Z", "2026-03-19T15:01:27+03:00"],
  ["2026-03-19T12:01:27.250Z", "2026-03-19T15:01:27+03:00"],
  ["2026-03-19T07:01:27-0500", "2026-03-19T15:01:27+03:00"],
  ["2026-03-19T15:01:27", "2026-03-19T15:01:27+03:00"],
  ["2026-03-19 15:01", "2026-03-19T15:01:00+03:00"],
  ["2026-03-19", "2026-03-19T00:00:00+03:00"],
  ["19.03.2026", "2026-03-19T00:00:00+03:00"],
  ["19.03.2026 15:01:27", "2026-03-19T15:01:27+03:00"],
])("%s is parsed as in Bitrix24", (given, told) => {
  expect(writeTime(readTime(given) ?? 0)).toBe(told);
});

test.each(["", "tomorrow", "2026-02-30", "2026-13-01", "31.04.2026", "2026-03-19T25:00", "2026-03-19T15:60"])(
  "%s is not a time",
  (given) => expect(readTime(given)).toBeNull(),
);

test("a formatted time is parsed back", () => {
  const seconds = fc.integer({ min: Date.parse("1980-01-01") / 1000, max: Date.parse("2100-01-01") / 1000 });
  fc.assert(
    fc.property(seconds, (second) => {
      expect(readTime(writeTime(second * 1000))).toBe(second * 1000);
    }),
  );
});

test("a date is its midnight in UTC", () => {
  expect(writeDay(Date.parse("2026-03-19T23:30:00+03:00"))).toBe("2026-03-19T03:00:00+03:00");
  expect(writeDay(Date.parse("2026-03-19T03:00:00+03:00"))).toBe("2026-03-19T03:00:00+03:00");
});
