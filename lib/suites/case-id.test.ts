import { expect, test } from "vitest";
import { identifier } from "../session/events/catalogue.ts";
import { caseIdOf } from "./case-id.ts";

test("a case of each session has an id of its own, that of the session where an address can have it", () => {
  const long = "x".repeat(199);
  const sessions = [
    ...["s 1", "s/1", "s_1", "s\\1", "s?1", "s~1", "Сессия-1", "😀", "😁", `${long}a`, `${long}b`],
    ...["y".repeat(180), "y".repeat(181), caseIdOf("s 1", 0).replace(/:0$/, "")],
  ];
  const ids = sessions.map((one) => caseIdOf(one, Number.MAX_SAFE_INTEGER));
  expect(new Set(ids).size).toBe(sessions.length);
  for (const id of ids) expect(identifier.parse(id)).toMatch(/^[\p{L}\p{N}._:@~-]+$/u);
  expect(["s_1", "Сессия-1", "y".repeat(180)].map((one) => caseIdOf(one, 3))).toEqual([
    "s_1:3",
    "Сессия-1:3",
    `${"y".repeat(180)}:3`,
  ]);
  // It stays the same: cases that are stored are found by it.
  expect(caseIdOf("s 1", 3)).toBe("s_1~0001540519732321:3");
});
