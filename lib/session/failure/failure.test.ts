import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fingerprintOf } from "./failure.ts";

const of = (message: string) => fingerprintOf({ name: "book", code: null, message });

describe("the fingerprint of a failure", () => {
  test.each([
    ["total price is 375, but paid 299", "total price is 305, but paid 255"],
    ["order 8f14e45f-ceea not found", "order 45c48cce-2e2d not found"],
    ['the user "anna" has no card', 'the user "ivan müller" has no card'],
    ["Пользователь «Анна» не найден", "Пользователь «Иван» не найден"],
    ["timeout after 30s at https://a.example/x?y=1", "timeout after 5s at https://b.example/z"],
    ["not before 2026-11-27T10:00:00Z", "not before 2025-01-02T11:30:00Z"],
    ["no answer  from\nthe gateway", "No answer from the gateway"],
  ])("%s is the same as %s", (one, other) => {
    expect(of(one)).toBe(of(other));
  });

  test("differs by what failed, its code, and its words", () => {
    const failure = { name: "book", code: "http_500", message: "no seats" };
    const all = [
      failure,
      { ...failure, name: "pay" },
      { ...failure, code: "http_409" },
      { ...failure, message: "no rooms" },
    ];
    expect(new Set(all.map(fingerprintOf)).size).toBe(4);
  });

  test("takes any text, in time that grows with its length only", () => {
    fc.assert(fc.property(fc.string({ maxLength: 5_000 }), (text) => of(text).length <= 2_100));
    for (const text of ['"'.repeat(100_000), "1,".repeat(50_000), "a@".repeat(50_000), "-".repeat(100_000)])
      expect(of(text).length).toBeLessThan(5_000);
  });
});
