import { setImmediate as breath } from "node:timers/promises";
import { expect, test } from "vitest";
import { createTraceBuffer } from "./trace-buffer.ts";

/** Traces that ripen by a clock that stands until it is set. */
function bufferOf({
  settle = 10_000,
  whole = () => true,
  written = async () => undefined,
}: {
  settle?: number;
  whole?: (id: string) => boolean;
  /** Resolves when what a trace tells is on disk, so many having been read by now. */
  written?: (read: () => number) => Promise<void>;
} = {}) {
  let now = 0;
  const timers = new Set<{ at: number; act: () => void }>();
  const told: [string, number][] = [];
  const stop = new AbortController();
  let failing = 0;
  let left = 0;
  let read = 0;
  const traces = createTraceBuffer({
    clock: {
      now: () => now,
      later(ms, act) {
        const timer = { at: now + ms, act };
        timers.add(timer);
        return () => timers.delete(timer);
      },
    },
    settle,
    isWhole: async (id) => whole(id),
    async take(id) {
      return {
        size: 1,
        async read() {
          read += 1;
          return async () => {
            if (failing-- > 0) throw new Error("The disk is full");
            await written(() => read);
            told.push([id, now]);
            return left-- > 0;
          };
        },
      };
    },
    logger: { error: () => undefined },
    stopping: stop.signal,
  });
  const pass = async (ms: number) => {
    for (const end = now + ms; now < end; now += 100) {
      for (const timer of [...timers].filter(({ at }) => at <= now)) if (timers.delete(timer)) timer.act();
      await breath();
    }
  };
  return {
    ...{ traces, told, pass, stop },
    fail: (times: number) => {
      failing = times;
    },
    leave: (times: number) => {
      left = times;
    },
  };
}

test("E15: a trace that is whole is told once nothing has come for a second", async () => {
  const { traces, told, pass } = bufferOf();
  traces.received(new Map([["a", 0]]));
  await pass(900);
  traces.received(
    new Map([
      ["a", 0],
      ["b", 0],
    ]),
  );
  await pass(900);
  expect(told).toEqual([]);
  await pass(500);
  expect(told.map(([id]) => id)).toEqual(["a", "b"]);
  await pass(100_000);
  expect(told).toHaveLength(2);
});

test("E15: a trace whose parents are missing waits for them as long as it is set to, and is told when they come", async () => {
  let isWhole = false;
  const { traces, told, pass } = bufferOf({ settle: 10_000, whole: () => isWhole });
  traces.received(new Map([["a", 0]]));
  await pass(9_500);
  expect(told).toEqual([]);
  traces.received(new Map([["a", 0]]));
  await pass(9_500);
  expect(told).toEqual([]);
  await pass(1_000);
  expect(told).toHaveLength(1);
  traces.received(new Map([["a", 0]]));
  await pass(1_500);
  isWhole = true;
  traces.received(new Map([["a", 0]]));
  await pass(1_500);
  expect(told).toHaveLength(2);
});

test("E15: a trace of which there is no end is told once a minute", async () => {
  const { traces, told, pass } = bufferOf();
  for (let second = 0; second < 130; second += 1) {
    traces.received(new Map([["a", 0]]));
    await pass(500);
    traces.received(new Map([["a", 0]]));
    await pass(500);
  }
  expect(told).toHaveLength(2);
});

test("E15: a trace that could not be told is tried again, and the others are told meanwhile", async () => {
  const { traces, told, pass, fail } = bufferOf();
  fail(1);
  traces.received(
    new Map([
      ["a", 0],
      ["b", 0],
    ]),
  );
  await pass(2_000);
  expect(told.map(([id]) => id)).toEqual(["b"]);
  await pass(60_000);
  expect(told.map(([id]) => id)).toEqual(["b", "a"]);
});

test("E15: a trace of which more waits when it was told is told again", async () => {
  const { traces, told, pass, leave } = bufferOf();
  leave(1);
  traces.received(new Map([["a", 0]]));
  await pass(10_000);
  expect(told).toHaveLength(2);
});

test("E15: what an earlier process left is told when it is due, and nothing is told after the end", async () => {
  const { traces, told, pass } = bufferOf();
  traces.add("a", { since: -100_000, newest: -50_000, began: -100_000 });
  await pass(200);
  expect(told.map(([id]) => id)).toEqual(["a"]);
  traces.received(new Map([["b", 0]]));
  await traces.stop();
  await pass(60_000);
  expect(told).toHaveLength(1);
});

test("E15: traces that ripen together are told in the order in which they began, however they came", async () => {
  const { traces, told, pass } = bufferOf();
  traces.received(new Map(Array.from({ length: 700 }, (_, n) => [`t${n}`, (n * 263) % 700])));
  await pass(20_000);
  expect(told.map(([id]) => (Number(id.slice(1)) * 263) % 700)).toEqual(Array.from({ length: 700 }, (_, n) => n));
});

test("E15: while what some traces tell is on its way to the disk, the next are read", async () => {
  const { traces, told, pass } = bufferOf({
    written: async (read) => {
      const before = read();
      while (read() === before && before < 700) await breath();
    },
  });
  traces.received(new Map(Array.from({ length: 700 }, (_, n) => [`t${n}`, n])));
  await pass(100_000);
  expect(told).toHaveLength(700);
});
