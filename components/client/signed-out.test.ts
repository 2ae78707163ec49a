import { expect, test, vi } from "vitest";
import { isSignedOut, noteSignedOut, onSignedOut, watchAnswer } from "./signed-out.ts";

test("what was granted before the sign-in ended does not bring it back, however late the answer comes", () => {
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

test("what was refused before somebody signed in again does not sign them out", () => {
  noteSignedOut(true);
  const late = watchAnswer();
  noteSignedOut(false);
  late(401);
  expect(isSignedOut()).toBe(false);
});

test("listeners hear of changes alone", () => {
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
