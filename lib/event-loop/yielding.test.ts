import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createYielder } from "./yielding.ts";

test("long work runs one part at a time, and small requests are served between parts", async () => {
  const gone: string[] = [];
  const work = async (name: string) => {
    await createYielder().yieldOnce();
    gone.push(name);
  };
  const small = async () => {
    for (let n = 1; n <= 3; n++) await turn();
    gone.push("small");
  };
  await Promise.all([work("a"), work("b"), small()]);
  expect(gone).toEqual(["small", "a", "b"]);
  const next = [work("c"), work("d")];
  await next[0];
  await Promise.all([...next, small()]);
  expect(gone.slice(3)).toEqual(["c", "small", "d"]);
});
