import { expect, test } from "vitest";
import { yieldToEventLoop } from "../../lib/event-loop/yielding.ts";
import { VirtualClock } from "./virtual-clock.ts";

test("time does not advance while a yielded task waits for its next slice", async () => {
  const clock = new VirtualClock(0);
  const others = Array.from({ length: 10 }, () => yieldToEventLoop());
  let timedOut = false;
  clock.later(1_000, () => {
    timedOut = true;
  });
  const work = async () => {
    for (let part = 0; part < 5; part++) await yieldToEventLoop();
    return { now: clock.now(), timedOut };
  };
  expect(await clock.until(work())).toEqual({ now: 0, timedOut: false });
  await Promise.all(others);
});

test("waiting for something that can never happen throws", async () => {
  const clock = new VirtualClock(0);
  await expect(clock.until(new Promise(() => undefined))).rejects.toThrow("Nothing is left to happen");
});
