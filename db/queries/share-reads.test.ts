import { expect, test } from "vitest";
import { shareReads } from "./share-reads.ts";

test("callers during a read share the next one, also if the first fails", async () => {
  const begun: PromiseWithResolvers<number>[] = [];
  const ask = shareReads(() => {
    const reading = Promise.withResolvers<number>();
    begun.push(reading);
    return reading.promise;
  });
  const first = ask();
  const others = [ask(), ask(), ask()];
  expect(begun).toHaveLength(1);
  begun[0]?.reject(new Error("broken"));
  await expect(first).rejects.toThrow("broken");
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.resolve(2);
  expect(await Promise.all(others)).toEqual([2, 2, 2]);
  const last = ask();
  begun[2]?.resolve(3);
  expect([await last, begun.length]).toEqual([3, 3]);
});
