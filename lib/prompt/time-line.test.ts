import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Locale } from "../session/locale.ts";
import { timeLine, withoutTimeLine } from "./time-line.ts";

const at = (iso: string, timezone: string | null, locale: Locale = "en") => timeLine(Date.parse(iso), timezone, locale);

describe("D8: the time before a user's message", () => {
  it.each([
    ["en", "[Sunday, March 1, 2026, 15:00 Europe/Moscow]\n"],
    ["ru", "[воскресенье, 1 марта 2026 г., 15:00 Europe/Moscow]\n"],
  ] as const)("tells day, date, time and zone in %s", (locale, line) => {
    expect(at("2026-03-01T12:00:00Z", "Europe/Moscow", locale)).toBe(line);
  });

  it.each([
    ["Pacific/Auckland", "[Monday, March 2, 2026, 01:30 Pacific/Auckland]\n"],
    ["America/Los_Angeles", "[Sunday, March 1, 2026, 04:30 America/Los_Angeles]\n"],
    ["Asia/Kathmandu", "[Sunday, March 1, 2026, 18:15 Asia/Kathmandu]\n"],
    ["UTC", "[Sunday, March 1, 2026, 12:30 UTC]\n"],
  ])("is of its zone: %s", (zone, line) => {
    expect(at("2026-03-01T12:30:00Z", zone)).toBe(line);
  });

  it("midnight is 00:00 of the new day", () => {
    expect(at("2026-02-28T21:00:00Z", "Europe/Moscow")).toBe("[Sunday, March 1, 2026, 00:00 Europe/Moscow]\n");
  });

  it("daylight saving time is applied to the minute", () => {
    expect(at("2026-03-29T00:59:00Z", "Europe/Berlin")).toContain("01:59 Europe/Berlin");
    expect(at("2026-03-29T01:00:00Z", "Europe/Berlin")).toContain("03:00 Europe/Berlin");
    expect(at("2026-10-25T00:30:00Z", "Europe/Berlin")).toContain("02:30 Europe/Berlin");
    expect(at("2026-10-25T01:30:00Z", "Europe/Berlin")).toContain("02:30 Europe/Berlin");
  });

  it.each([null, "Mars/Olympus"])("names the system's zone in the place of %s", (zone) => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    expect(at("2026-03-01T12:00:00Z", zone)).toBe(at("2026-03-01T12:00:00Z", timeZone));
    expect(at("2026-03-01T12:00:00Z", zone)).toContain(` ${timeZone}]`);
  });
});

describe("D8: a message without the time", () => {
  it("is the original message, in every zone and language", () => {
    const zones = Intl.supportedValuesOf("timeZone");
    const anyTime = fc.integer({ min: Date.parse("1970-01-01"), max: Date.parse("2199-12-31") });
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        anyTime,
        fc.constantFrom(...zones, "Etc/GMT+5", "UTC"),
        fc.constantFrom<Locale>("en", "ru"),
        (text, now, zone, locale) => withoutTimeLine(`${timeLine(now, zone, locale)}${text}`) === text,
      ),
    );
  });

  it.each(["hello", "", "[Sunday] hello", "[a, 12:00 b] hello", "hello\n[Sunday, March 1, 2026, 15:00 UTC]\nyou"])(
    "leaves what only looks like one: %j",
    (text) => {
      expect(withoutTimeLine(text)).toBe(text);
    },
  );
});
