import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readDate } from "./dates.ts";
import { readAmount } from "./values.ts";

describe("a written amount", () => {
  it.each<[string, number]>([
    ["150000", 150_000],
    ["150 000 ₽", 150_000],
    ["150 000,50 руб.", 150_000.5],
    ["$150,000.50", 150_000.5],
    ["150.000,50", 150_000.5],
    ["1.500", 1_500],
    ["1,5", 1.5],
    ["150k", 150_000],
    ["150 к", 150_000],
    ["150 тыс. руб", 150_000],
    ["1,5 млн", 1_500_000],
    ["1.500 млн", 1_500_000],
    ["2m", 2_000_000],
    ["0", 0],
  ])("%s is %d", (text, amount) => {
    expect(readAmount(text)).toBe(amount);
  });

  it("whatever its thousands separator", () => {
    const groups = fc.constantFrom(["", "."], [" ", ","], [" ", "."], [",", "."], [".", ","], ["'", "."]);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10 ** 12 }),
        fc.integer({ min: 0, max: 99 }),
        groups,
        (whole, cents, signs) => {
          const [parting, point] = signs;
          const written = String(whole).replaceAll(/\B(?=(\d{3})+$)/g, parting ?? "");
          expect(readAmount(`${written}${point}${String(cents).padStart(2, "0")} ₽`)).toBe((whole * 100 + cents) / 100);
        },
      ),
    );
  });
});

describe("a written date", () => {
  const NOW = new Date("2026-04-10T12:00:00");

  it.each([
    ["2026-05-05", "2026-05-05"],
    ["05.05.2027", "2027-05-05"],
    ["5.5", "2026-05-05"],
    ["1.3", "2027-03-01"],
    ["5 мая", "2026-05-05"],
    ["5 марта", "2027-03-05"],
    ["5 мая 2027 в 9:30", "2027-05-05T09:30:00"],
    ["May 5", "2026-05-05"],
    ["5th of May, 2027", "2027-05-05"],
    ["сегодня", "2026-04-10"],
    ["Завтра в 18:00", "2026-04-11T18:00:00"],
    ["tomorrow at 18:00", "2026-04-11T18:00:00"],
    ["послезавтра", "2026-04-12"],
    ["31.02.2026", null],
    ["завтра в 25:00", null],
  ])("%s is %s", (text, date) => {
    expect(readDate(text, NOW)).toBe(date);
  });
});
