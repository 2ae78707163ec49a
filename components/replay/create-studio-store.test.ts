import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { SessionEvent } from "@/lib/session/event.ts";
import { stepOf } from "@/lib/session/events/event-index-columns.ts";
import { emptySession, fold } from "@/lib/session/reducer/reducer.ts";
import { timelineOf } from "@/lib/session/testing/timeline.ts";
import { toView } from "@/lib/session/view.ts";

const live = vi.hoisted(() => {
  const listeners: { onEvents(events: unknown[]): void; onConnection(connection: string): void }[] = [];
  return { listeners };
});
vi.mock("@/components/client/live.ts", () => ({
  subscribeLive: (_: unknown, listener: (typeof live.listeners)[number]) => {
    live.listeners.push(listener);
    return () => undefined;
  },
}));

const { createStudioStore } = await import("./create-studio-store.ts");

function eventOf(seq: number): SessionEvent {
  const ids = {
    id: `e${seq}`,
    conversation_id: "c",
    run_id: null,
    parent_run_id: null,
    agent_id: null,
    caused_by: null,
  };
  const at = new Date(1_700_000_000_000 + seq * 100).toISOString();
  const payload = { message_id: `m${seq}`, role: "user", content: `Message ${seq}` };
  return {
    ...ids,
    seq,
    position: seq,
    type: "message.created",
    actor: "user:anna",
    payload,
    occurred_at: at,
    recorded_at: at,
  };
}

const sessionAt = (events: SessionEvent[], at: number) => fold(emptySession("c"), events.slice(0, at));

/**
 * A fake server over a log that tests may extend and break, and a store that was rendered at `at`; `since` more events
 * were written before the browser's first request.
 */
function setUp(length: number, at: number | null, since = 0) {
  vi.stubGlobal("requestAnimationFrame", (frame: () => void) => setTimeout(frame, 16));
  vi.stubGlobal("cancelAnimationFrame", clearTimeout);
  const log = Array.from({ length: length + since }, (_, i) => eventOf(i + 1));
  const server = { log, requests: [] as string[], broken: false };
  vi.stubGlobal("fetch", async (input: string) => {
    const url = new URL(input, "http://test");
    server.requests.push(`${url.pathname.split("/").at(-1)}${url.search}`);
    if (server.broken) throw new TypeError("no network");
    const after = Number(url.searchParams.get("after"));
    if (url.pathname.endsWith("/events")) {
      const items = log.slice(after, after + Number(url.searchParams.get("limit")));
      const last = items.at(-1)?.seq ?? after;
      return Response.json({ items, next: last < log.length ? String(last) : null });
    }
    if (url.pathname.endsWith("/view")) {
      const place = Number(url.searchParams.get("at"));
      return Response.json(toView(sessionAt(log, place), log.length));
    }
    return Response.json(timelineOf(log.map(stepOf)));
  });
  const view = JSON.parse(JSON.stringify(toView(sessionAt(log, at ?? length), length)));
  const { store, start } = createStudioStore({
    conversationId: "c",
    view,
    weight: 1_000,
    now: sessionAt(log, log.length).summary,
    at,
    unreachable: "No answer",
  });
  const stop = start();
  return { server, store, stop, listener: live.listeners.at(-1) };
}

let stopping: (() => void) | null = null;
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => {
  stopping?.();
  stopping = null;
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Lets responses arrive and timers fire. */
async function settle(): Promise<void> {
  for (let round = 0; round < 20; round += 1) {
    await vi.advanceTimersByTimeAsync(200);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("E7: the session at the current step", () => {
  test("stepping forward and back equals folding up to that step, with the previous step and the event", async () => {
    const { store, server, stop } = setUp(30, 10);
    stopping = stop;
    await settle();
    for (const at of [11, 12, 30, 3, 0, 10]) {
      store.getState().seek(at);
      await settle();
      const { session, before, event } = store.getState();
      expect(session).toEqual(sessionAt(server.log, at));
      expect(before).toEqual(at === 0 ? null : sessionAt(server.log, at - 1));
      expect(event?.seq ?? 0).toBe(at);
    }
  });

  test("seeking stays within the session; at its end the store follows", async () => {
    const { store, stop } = setUp(30, 10);
    stopping = stop;
    expect(store.getState().following).toBe(false);
    store.getState().seek(1_000);
    expect(store.getState()).toMatchObject({ at: 30, following: true });
    store.getState().seek(-5);
    expect(store.getState()).toMatchObject({ at: 0, following: false });
  });
});

describe("C5: a drag", () => {
  test("moves the session along; one that comes back to the end follows when it is over", async () => {
    const { store, server, stop } = setUp(30, null);
    stopping = stop;
    await settle();
    store.getState().setDragging(true);
    store.getState().seek(7);
    await settle();
    expect(store.getState()).toMatchObject({ at: 7, following: false, event: { seq: 7 } });
    expect(store.getState().session).toEqual(sessionAt(server.log, 7));
    store.getState().seek(30);
    await settle();
    expect(store.getState()).toMatchObject({ at: 30, following: false, session: { at: 30 } });
    store.getState().setDragging(false);
    expect(store.getState().following).toBe(true);
  });
});

describe("E8: a long session", () => {
  test("nothing is fetched while dragging, and only what is around when it rests", async () => {
    const { store, server, stop } = setUp(5_000, 5_000);
    stopping = stop;
    await settle();
    server.requests.length = 0;
    store.getState().setDragging(true);
    for (let at = 4_000; at > 2_000; at -= 100) store.getState().seek(at);
    await settle();
    expect(server.requests).toEqual([]);
    store.getState().setDragging(false);
    await settle();
    expect(store.getState()).toMatchObject({ at: 2_100, loading: false });
    expect(store.getState().session).toEqual(sessionAt(server.log, 2_100));
    expect(store.getState().event?.seq).toBe(2_100);
    // The view of the step and of its chunk's start, the chunk's events, and the nearby previous chunk.
    expect(server.requests.sort()).toEqual([
      "events?after=1750&limit=250",
      "events?after=2000&limit=250",
      "view?at=1750",
      "view?at=2000",
      "view?at=2100",
    ]);
  });

  test("a loading error is reported, and a retry loads it", async () => {
    const { store, server, stop } = setUp(5_000, null);
    stopping = stop;
    await settle();
    server.broken = true;
    store.getState().seek(1_000);
    await settle();
    expect(store.getState()).toMatchObject({ failure: "No answer", loading: false });
    server.broken = false;
    store.getState().retry();
    await settle();
    expect(store.getState().failure).toBeNull();
    expect(store.getState().session.at).toBe(1_000);
  });
});

describe("E13: live", () => {
  test("while following, new events are applied without a fetch", async () => {
    const { store, server, listener, stop } = setUp(30, null);
    stopping = stop;
    await settle();
    server.requests.length = 0;
    const next = [eventOf(31), eventOf(32)];
    server.log.push(...next);
    listener?.onEvents(next);
    await settle();
    expect(store.getState()).toMatchObject({ at: 32, last: 32, following: true });
    expect(store.getState().session).toEqual(sessionAt(server.log, 32));
    expect(store.getState().timeline?.at(-1)).toMatchObject({ seq: 32, type: "message.created" });
    expect(server.requests).toEqual([]);
  });

  test("a conversation's status is the current one, whatever the step", async () => {
    const { store, server, listener, stop } = setUp(5_000, 10);
    stopping = stop;
    await settle();
    const run = { run_id: "r", type: "run.started", payload: {} };
    const next = [
      { ...eventOf(5_001), ...run },
      { ...eventOf(5_002), ...run, type: "run.failed" },
    ];
    server.log.push(...next);
    listener?.onEvents(next);
    await settle();
    expect(store.getState().now).toEqual(sessionAt(server.log, 5_002).summary);
    expect(store.getState()).toMatchObject({ at: 10, now: { ended: "failed", failures: { count: 1 } } });
  });

  test("C5: events written while the page loaded are in the timeline once, although the stream repeats them", async () => {
    const { store, server, listener, stop } = setUp(30, null, 2);
    stopping = stop;
    await settle();
    listener?.onEvents(server.log.slice(30));
    await settle();
    expect(store.getState()).toMatchObject({ at: 32, last: 32 });
    expect(store.getState().timeline?.map(({ seq }) => seq)).toEqual(server.log.map(({ seq }) => seq));
  });

  test("a reader of an earlier step stays there, and returns to the newest step on request", async () => {
    const { store, server, listener, stop } = setUp(30, 12);
    stopping = stop;
    await settle();
    server.log.push(eventOf(31));
    listener?.onEvents([eventOf(31)]);
    await settle();
    expect(store.getState()).toMatchObject({ at: 12, last: 31, following: false });
    store.getState().goLive();
    await settle();
    expect(store.getState()).toMatchObject({ at: 31, following: true });
    expect(store.getState().session.at).toBe(31);
  });

  test("events missed during a lost connection are loaded after it", async () => {
    const { store, server, listener, stop } = setUp(30, null);
    stopping = stop;
    await settle();
    listener?.onConnection("reconnecting");
    for (let seq = 31; seq <= 1_500; seq += 1) server.log.push(eventOf(seq));
    listener?.onConnection("live");
    await settle();
    expect(store.getState()).toMatchObject({ at: 1_500, last: 1_500, connection: "live" });
    expect(store.getState().timeline).toHaveLength(1_500);
    expect(store.getState().session).toEqual(sessionAt(server.log, 1_500));
  });
});
