import { expect, test } from "vitest";
import { withValue } from "./print-state.ts";

test("a state is written whole with as many copies as it has levels, however many keys it has", () => {
  const keys = Array.from({ length: 20_000 }, (_, index) => [`k${index}`, index] as const);
  let read = 0;
  const ownKeys = (of: object) => {
    read += 1;
    return Reflect.ownKeys(of);
  };
  const state = new Proxy<Record<string, number>>({ kept: 1 }, { ownKeys });
  const written = withValue(state, [], { ...Object.fromEntries(keys), kept: 2 });
  expect([Object.keys(written).length, written.kept, written.k19999, read]).toEqual([20_001, 2, 19_999, 1]);
});
