import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createTurns } from "./turns.ts";

test("of many who wait, one goes on in each turn of the event loop", async () => {
  const turns = createTurns();
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
