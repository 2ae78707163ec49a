import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createYielder } from "./yielding.ts";

test("of all work that yields, one goes on in each turn of the event loop", async () => {
  const gone: string[] = [];
  const work = async (name: string) => {
    await createYielder().yieldOnce();
    gone.push(name);
  };
  const all = Promise.all(["a", "b", "c"].map(work));
  for (let n = 0; n < 3; n++) {
    gone.push(`turn ${n}`);
    await turn();
  }
  await all;
  expect(gone).toEqual(["turn 0", "a", "turn 1", "b", "turn 2", "c"]);
});
