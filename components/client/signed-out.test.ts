import { expect, test, vi } from "vitest";
import { isSignedOut, noteSignedOut, onSignedOut, watchAnswer } from "./signed-out.ts";

test("a late success of a request from before the sign-out does not count as signed in", () => {
  const late = watchAnswer();
  watchAnswer()(401);
  expect(isSignedOut()).toBe(true);
  late(200);
  expect(isSignedOut()).toBe(true);
  watchAnswer()(403);
  expect(isSignedOut()).toBe(true);
  watchAnswer()(200);
  expect(isSignedOut()).toBe(false);
});

test("a late 401 of a request from before the sign-in does not count as signed out", () => {
  noteSignedOut(true);
  const late = watchAnswer();
  noteSignedOut(false);
  late(401);
  expect(isSignedOut()).toBe(false);
});

test("listeners are called only on changes", () => {
  const changed = vi.fn();
  const leave = onSignedOut(changed);
  watchAnswer()(200);
  expect(changed).not.toHaveBeenCalled();
  watchAnswer()(401);
  watchAnswer()(401);
  expect(changed).toHaveBeenCalledOnce();
  leave();
  watchAnswer()(200);
  expect(changed).toHaveBeenCalledOnce();
});
