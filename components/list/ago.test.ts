import { describe, expect, it } from "vitest";
import { agoOf } from "./ago.ts";

const now = Date.UTC(2026, 0, 8, 12);
const before = (seconds: number) => agoOf(now - seconds * 1_000, now);

describe("C1: how long ago a conversation was active", () => {
  it("is fine while it is near and coarse when it is far", () => {
    expect(before(4)).toEqual({ unit: "seconds", count: 4 });
    expect(before(59 * 60 + 59)).toEqual({ unit: "minutes", count: 59 });
    expect(before(91 * 60)).toEqual({ unit: "hours_minutes", hours: 1, minutes: 31 });
    expect(before(60 * 60)).toEqual({ unit: "hours", count: 1 });
    expect(before(23.9 * 3_600)).toEqual({ unit: "hours", count: 23 });
    expect(before(6.5 * 86_400)).toEqual({ unit: "days", count: 6 });
    expect(before(7 * 86_400)).toEqual({ unit: "date" });
  });

  it("is now for what has just happened, also where the server's clock is ahead", () => {
    expect(before(2)).toEqual({ unit: "now" });
    expect(before(-90)).toEqual({ unit: "now" });
  });
});
