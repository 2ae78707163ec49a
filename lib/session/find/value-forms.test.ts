import { describe, expect, test } from "vitest";
import { formsOf, valuesIn } from "./value-forms.ts";

const keys = (value: string | number) => formsOf(value).map(({ key }) => key);

describe("E15: values as they are compared", () => {
  test.each([
    ["1,200.00", 1200],
    ["1 200,00 ₽", 1200],
    ["$1,200.50", 1200.5],
    ["37.50", 37.5],
    ["0,75", 0.75],
    ["12.50 EUR", 12.5],
    ["4410 2298 7731", "441022987731"],
    ["DE44 5001 0517 5407 3249 31", "DE44500105175407324931"],
    ["К482ОР 77", "К482ОР77"],
    ["#W5442178", "W5442178"],
    ["14.07.2025", "2025-07-14"],
    ["03/09/2025", "2025-03-09"],
    ["03/09/2025", "2025-09-03"],
    ["2025-07-14T00:00:00Z", "2025-07-14"],
    ["8 927 415-30-62", "+7 (927) 415-30-62"],
    ["(312) 555-0148", "+13125550148"],
  ])("%s is %s", (one, other) => expect(keys(one).some((key) => keys(other).includes(key))).toBe(true));

  test.each([
    ["1,200", 12],
    ["004127", 4127],
    ["14C", 14],
    ["7741", "77410"],
    ["2025-07-14", "2025-07-15"],
    ["Kovacs", "kovacs"],
  ])("%s is not %s", (one, other) => expect(keys(one).some((key) => keys(other).includes(key))).toBe(false));

  test("an id, an account or an address is less likely met by chance than a word, a year or a round number", () => {
    const bits = (value: string | number) => formsOf(value)[0]?.bits ?? 0;
    for (const id of ["W7741", "7741", "48.95", "ann@example.com", "mei_kovacs_8020", "ZFA04Y", "DE44 5001 0517 5407"])
      for (const common of ["Medium", "utf-8", "2024", "5000", "12", "true", "JFK", "basic_economy", "10:30"])
        expect(bits(id), `${id} and ${common}`).toBeGreaterThan(bits(common));
  });

  test("are found within a text", () => {
    const text =
      "Pay 1,200.00 EUR to DE44 5001 0517 5407 3249 31 for order #W5442178 (claim СФ-1190/2), see " +
      "https://ship.example/l/EX-30188. Call 8 927 415-30-62 by 05.04.2025; rest 1 840 500,75 ₽.";
    expect(valuesIn(text).map((one) => one.text)).toEqual([
      ...["1,200.00", "DE44 5001 0517 5407 3249 31", "W5442178", "СФ-1190/2", "https://ship.example/l/EX-30188"],
      ...["8 927 415-30-62", "05.04.2025", "1 840 500,75"],
    ]);
  });
});
