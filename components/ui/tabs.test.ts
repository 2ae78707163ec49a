import { expect, test } from "vitest";
import { placeAfter } from "./tabs.tsx";

test("C12: arrows go round the tabs, Home and End to their ends, and other keys nowhere", () => {
  const from = (at: number) => (key: string) => placeAfter(key, at, 3);
  expect(["ArrowLeft", "ArrowRight", "Home", "End"].map(from(0))).toEqual([2, 1, 0, 2]);
  expect(["ArrowLeft", "ArrowRight", "Home", "End"].map(from(2))).toEqual([1, 0, 0, 2]);
  expect(["ArrowUp", "Enter", "a", "Tab"].map(from(1))).toEqual([null, null, null, null]);
});
