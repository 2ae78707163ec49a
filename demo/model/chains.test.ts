import { expect, test } from "vitest";
import { Chains } from "./chains.ts";

test("a chain of any length keeps its newest items, and can be continued", () => {
  const chains = new Chains();
  chains.keep("first", [{ n: 0 }]);
  for (let n = 1; n <= 1_000; n += 1)
    chains.keep(`answer-${n}`, [...(chains.upTo(n === 1 ? "first" : `answer-${n - 1}`) ?? []), { n }]);
  const kept = chains.upTo("answer-1000") ?? [];
  expect(kept.length).toBeLessThanOrEqual(200);
  expect(kept.at(-1)).toEqual({ n: 1_000 });
  expect(kept.at(0)).toEqual({ n: 1_001 - kept.length });
});
