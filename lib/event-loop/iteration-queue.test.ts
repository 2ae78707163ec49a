import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createIterationQueue } from "./iteration-queue.ts";

test("one waiter is resumed per iteration of the event loop", async () => {
  const turns = createIterationQueue();
  const gone: string[] = [];
  const go = (name: string) => turns().then(() => gone.push(name));
  const all = Promise.all(["a", "b", "c"].map(go));
  for (let n = 0; n < 3; n++) {
    gone.push(`turn ${n}`);
    await turn();
  }
  await all;
  expect(gone).toEqual(["turn 0", "a", "turn 1", "b", "turn 2", "c"]);
  await go("d");
  expect(gone.at(-1)).toBe("d");
});

test("iterations in between are left to other work", async () => {
  const turns = createIterationQueue(2);
  const gone: string[] = [];
  const all = Promise.all(["a", "b"].map((name) => turns().then(() => gone.push(name))));
  for (let n = 1; n <= 6; n++) {
    await turn();
    gone.push(`turn ${n}`);
  }
  await all;
  expect(gone).toEqual(["turn 1", "turn 2", "a", "turn 3", "turn 4", "turn 5", "b", "turn 6"]);
});
