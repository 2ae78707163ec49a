import { expect, it } from "vitest";
import { formatProgress, parseProgress } from "./progress.ts";

it("keeps what was done in a cookie", () => {
  const done = { talk: "welcome-1f", replayed: true, hidden: false };
  expect(parseProgress(formatProgress(done))).toEqual(done);
});

it("has nothing done without a cookie, or with one that it does not know", () => {
  const nothing = { talk: null, replayed: false, hidden: false };
  expect(parseProgress(undefined)).toEqual(nothing);
  expect(parseProgress("yes")).toEqual(nothing);
});
