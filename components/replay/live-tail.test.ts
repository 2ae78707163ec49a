import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { SessionEvent } from "@/lib/session/event.ts";
import { LiveTail } from "./live-tail.ts";

function eventOf(seq: number): SessionEvent {
  const ids = {
    id: `e${seq}`,
    conversation_id: "c",
    run_id: null,
    parent_run_id: null,
    agent_id: null,
    caused_by: null,
  };
  return { ...ids, seq, position: seq, type: "log", actor: null, payload: null, occurred_at: null, recorded_at: "" };
}

const LOG = Array.from({ length: 40 }, (_, i) => eventOf(i + 1));

/** A tail over a fake server with all of LOG. */
function setUp() {
  const applied: number[] = [];
  const fetches: number[] = [];
  const failures: unknown[] = [];
  let broken = false;
  const source = {
    view: () => Promise.reject(new Error("not asked here")),
    timeline: () => Promise.reject(new Error("not asked here")),
    async events(after: number, limit: number) {
      fetches.push(after);
      if (broken) throw new Error("no answer");
      return LOG.slice(after, after + limit);
    },
    rows: () => Promise.reject(new Error("not asked for")),
    buckets: () => Promise.reject(new Error("not asked for")),
    next: () => Promise.reject(new Error("not asked for")),
  };
  const tail = new LiveTail(
    {
      last: () => applied.at(-1) ?? 0,
      apply: (events) => applied.push(...events.map(({ seq }) => seq)),
      onFailure: (error) => failures.push(error),
    },
    source,
  );
  return {
    tail,
    applied,
    fetches,
    failures,
    breakServer: (value: boolean) => {
      broken = value;
    },
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("E13: live events change the session without refetching", () => {
  test("consecutive events are applied without a request", async () => {
    const { tail, applied, fetches } = setUp();
    tail.receive(LOG.slice(0, 3));
    tail.receive(LOG.slice(3, 5));
    await vi.runAllTimersAsync();
    expect(applied).toEqual([1, 2, 3, 4, 5]);
    expect(fetches).toEqual([]);
  });

  test("a gap is closed by one request", async () => {
    const { tail, applied, fetches } = setUp();
    tail.receive([eventOf(1)]);
    tail.receive([eventOf(5), eventOf(6)]);
    await vi.runAllTimersAsync();
    expect(applied).toEqual(LOG.map(({ seq }) => seq));
    expect(fetches).toEqual([1]);
  });

  test("a gap that cannot be closed is reported, and closed after a reconnect", async () => {
    const { tail, applied, failures, breakServer } = setUp();
    breakServer(true);
    tail.receive([eventOf(2)]);
    await vi.runAllTimersAsync();
    expect(failures).toHaveLength(1);
    breakServer(false);
    await tail.closeGap();
    expect(applied).toEqual(LOG.map(({ seq }) => seq));
  });

  test("each step is applied once and in order, whatever the stream repeats, drops or reorders", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: LOG.length }), { maxLength: 60 }), async (seqs) => {
        const { tail, applied } = setUp();
        for (const seq of seqs) tail.receive([eventOf(seq)]);
        await vi.runAllTimersAsync();
        expect(applied).toEqual(Array.from(applied, (_, i) => i + 1));
        expect(applied.at(-1) ?? 0).toBeGreaterThanOrEqual(Math.max(0, ...seqs));
      }),
    );
  });
});
