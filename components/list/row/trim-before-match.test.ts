import { expect, test } from "vitest";
import { trimBeforeMatch } from "./trim-before-match.ts";

const hit = { text: "refund", marked: true };

test("C1: a hit late in a text is preceded by a few whole words", () => {
  const before = { text: "Unfortunately, without travel insurance or a cancellation there is no ", marked: false };
  expect(trimBeforeMatch([before, hit], 24)).toEqual([{ text: "…there is no ", marked: false }, hit]);
});

test("C1: a hit early in a text keeps the beginning", () => {
  const parts = [{ text: "Do I get a ", marked: false }, hit, { text: " for this?", marked: false }];
  expect(trimBeforeMatch(parts, 24)).toEqual(parts);
  expect(trimBeforeMatch([hit], 24)).toEqual([hit]);
  expect(trimBeforeMatch([], 24)).toEqual([]);
});
