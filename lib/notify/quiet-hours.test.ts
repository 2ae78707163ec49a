import { expect, it } from "vitest";
import { quietFor, readQuietHours } from "./quiet-hours.ts";

const at = (iso: string) => Date.parse(iso);
const HOUR = 3_600_000;

it.each([
  ["22:00-07:00 Europe/Moscow", { from: 1320, to: 420, timezone: "Europe/Moscow" }],
  [" 13:30-14:00   UTC ", { from: 810, to: 840, timezone: "UTC" }],
  ...["", "22:00-07:00", "22:00-22:00 UTC", "24:00-07:00 UTC", "22-7 UTC", "22:00-07:00 Mars/Base"].map(
    (text): [string, null] => [text, null],
  ),
])("Inform: quiet hours as %s", (text, quiet) => {
  expect(readQuietHours(text)).toEqual(quiet);
});

it("Inform: quiet hours are in the zone's local time, also over midnight, to the minute", () => {
  const moscow = readQuietHours("22:00-07:00 Europe/Moscow");
  expect(quietFor(moscow, at("2026-11-22T18:59:59.999Z"))).toBe(0);
  expect(quietFor(moscow, at("2026-11-22T19:00:00Z"))).toBe(9 * HOUR);
  expect(quietFor(moscow, at("2026-11-22T23:30:30Z"))).toBe(4.5 * HOUR - 30_000);
  expect(quietFor(moscow, at("2026-11-23T03:59:59Z"))).toBe(1_000);
  expect(quietFor(moscow, at("2026-11-23T04:00:00Z"))).toBe(0);
  const noon = readQuietHours("12:00-13:00 UTC");
  expect([quietFor(noon, at("2026-11-22T12:15:00Z")), quietFor(noon, at("2026-11-22T13:00:00Z"))]).toEqual([
    HOUR * 0.75,
    0,
  ]);
  expect(quietFor(null, 0)).toBe(0);
});
