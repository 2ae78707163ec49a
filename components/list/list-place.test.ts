import { expect, it } from "vitest";
import { type ListPlace, neighbourOf } from "./list-place.ts";

const place: ListPlace = { query: "?q=x", ids: ["a", "b", "c"], next: "cursor", at: null, top: 0 };

it.each([
  ["a", 1, { id: "b" }],
  ["c", -1, { id: "b" }],
  ["a", -1, "end"],
  ["c", 1, "further"],
  ["z", 1, "unknown"],
] as const)("C: from %s by %d in the list", (id, by, expected) => expect(neighbourOf(place, id, by)).toEqual(expected));

it("C: the last conversation of the list has none after it", () => {
  expect(neighbourOf({ ...place, next: null }, "c", 1)).toBe("end");
});
