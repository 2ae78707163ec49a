import { describe, expect, it } from "vitest";
import { agoOf } from "./ago.ts";

const now = Date.UTC(2026, 0, 8, 12);
const ago = (seconds: number) => agoOf(now - seconds * 1_000, now);

describe("C1: relative times", () => {
  it("are precise when recent and coarse when old", () => {
    expect(ago(4)).toEqual({ unit: "seconds", count: 4 });
    expect(ago(59 * 60 + 59)).toEqual({ unit: "minutes", count: 59 });
    expect(ago(91 * 60)).toEqual({ unit: "hours_minutes", hours: 1, minutes: 31 });
    expect(ago(60 * 60)).toEqual({ unit: "hours", count: 1 });
    expect(ago(23.9 * 3_600)).toEqual({ unit: "hours", count: 23 });
    expect(ago(6.5 * 86_400)).toEqual({ unit: "days", count: 6 });
    expect(ago(7 * 86_400)).toEqual({ unit: "date" });
  });

  it('are "now" for the last moments, also when the server\'s clock is ahead', () => {
    expect(ago(2)).toEqual({ unit: "now" });
    expect(ago(-90)).toEqual({ unit: "now" });
  });
});
