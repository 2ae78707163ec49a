import { expect, test } from "vitest";
import { placeAfter } from "./tabs.tsx";

test("C12: arrow keys cycle through the tabs, Home and End go to the ends, other keys do nothing", () => {
  const from = (at: number) => (key: string) => placeAfter(key, at, 3);
  expect(["ArrowLeft", "ArrowRight", "Home", "End"].map(from(0))).toEqual([2, 1, 0, 2]);
  expect(["ArrowLeft", "ArrowRight", "Home", "End"].map(from(2))).toEqual([1, 0, 0, 2]);
  expect(["ArrowUp", "Enter", "a", "Tab"].map(from(1))).toEqual([null, null, null, null]);
});
