import { expect, test } from "vitest";
import { cursor, instant } from "./fields.ts";

test("a time is one that an export can have: of a year with four digits, in UTC", () => {
  expect(instant.parse("0000-01-01T14:00:00+14:00")).toBe("0000-01-01T00:00:00.000Z");
  expect(instant.parse("9999-12-31T09:59:59-14:00")).toBe("9999-12-31T23:59:59.000Z");
  for (const time of ["0000-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
    expect(instant.safeParse(time).error?.issues[0]?.message).toBe("must be in the years 0000 to 9999 in UTC");
});

test("a cursor that a list gives out after an entry with the longest ids is taken", () => {
  const id = "ｱ".repeat(200);
  const text = Buffer.from(JSON.stringify(["aBcDeFgH", "next", id, id])).toString("base64url");
  expect(cursor.parse(text)).toBe(text);
});
