import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { eventStream } from "../api/stream/event-stream.ts";
import type { SessionEvent } from "../session/event.ts";
import { createBus } from "./bus.ts";
import { createDrafts } from "./drafts.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Drafts with a log whose length the test sets. */
function drafts() {
  const bus = createBus();
  const live = createDrafts(bus, []);
  const write = (text: string, run_id = "run") => live.write({ conversation_id: "c", run_id, agent_id: "crm", text });
  return { bus, live, write };
}

/** A reader that pulls when the test says so. */
function readerOf({ bus, live }: Pick<ReturnType<typeof drafts>, "bus" | "live">, log: SessionEvent[] = []) {
  const events = {
    recent: (after: number) => log.filter(({ position }) => position > after),
    nextOf: async () => null,
  };
  const longReads = {
    open() {
      throw new Error("All of the log is in memory");
    },
  };
  const stream = eventStream(
    { events, longReads, bus, drafts: live, waiting: null },
    { position: 0, conversationId: undefined, signal: new AbortController().signal },
  );
  const reader = stream.getReader();
  const next = async () => Buffer.from((await reader.read()).value ?? []).toString();
  return { next, pieces: async () => piecesIn(await next()) };
}

const piecesIn = (chunk: string) =>
  [...chunk.matchAll(/^event: message\.draft\ndata: (.+)$/gm)].map(([, data = ""]) => {
    const { run_id, offset, text } = JSON.parse(data);
    return [run_id, offset, text];
  });

describe("E13: readers of drafts", () => {
  test("a slow reader gets everything in one chunk", async () => {
    const source = drafts();
    const [slow, quick] = [readerOf(source), readerOf(source)];
    await Promise.all([slow.next(), quick.next()]);
    source.write("It");
    expect(await quick.pieces()).toEqual([["run", 0, "It"]]);
    source.write("It is");
    vi.advanceTimersByTime(50);
    expect(await quick.pieces()).toEqual([["run", 2, " is"]]);
    source.write("It is warm");
    vi.advanceTimersByTime(50);
    expect(await quick.pieces()).toEqual([["run", 5, " warm"]]);
    expect(await slow.pieces()).toEqual([["run", 0, "It is warm"]]);
  });

  test("an ended draft is not sent, and the run's next request starts a new one", async () => {
    const source = drafts();
    const reader = readerOf(source);
    await reader.next();
    source.write("Never seen");
    source.live.end("run");
    source.write("Hello");
    expect(await reader.pieces()).toEqual([["run", 0, "Hello"]]);
    source.live.end("run");
    expect([...source.live.list()]).toEqual([]);
    source.write("Hi");
    vi.advanceTimersByTime(50);
    expect(await reader.pieces()).toEqual([["run", 0, "Hi"]]);
  });

  test("a chunk never ends within a surrogate pair", async () => {
    const source = drafts();
    const reader = readerOf(source);
    await reader.next();
    source.write("Hi 👋".slice(0, 4));
    expect(await reader.pieces()).toEqual([["run", 0, "Hi "]]);
    source.write("Hi 👋");
    vi.advanceTimersByTime(50);
    expect(await reader.pieces()).toEqual([["run", 3, "👋"]]);
  });

  test("they are notified at most once in 50 ms, and miss nothing", () => {
    const { live, write } = drafts();
    let woken = 0;
    live.subscribe(() => woken++);
    for (let length = 1; length <= 10; length++) write("x".repeat(length));
    expect(woken).toBe(1);
    vi.advanceTimersByTime(50);
    expect(woken).toBe(2);
    vi.advanceTimersByTime(500);
    expect(woken).toBe(2);
  });

  test("a draft has a maximum length", () => {
    const { live, write } = drafts();
    write("x".repeat(2_000_000));
    expect([...live.list()].map(({ text }) => text.length)).toEqual([500_000]);
  });
});
