import { expect, test, vi } from "vitest";
import { createBus } from "../../server/bus.ts";
import type { SessionEvent } from "../../session/event.ts";
import { eventStream } from "./event-stream.ts";

/** Positions up to this one are an import's, which is not in memory. */
const IMPORTED = 60_000;

const event = (position: number): SessionEvent => ({
  ...{ id: `e-${position}`, conversation_id: "c", type: "log", payload: {}, position, seq: 1 },
  ...{ actor: null, agent_id: null, run_id: null, parent_run_id: null, caused_by: null },
  ...{ occurred_at: null, recorded_at: "2026-01-01T00:00:00.000Z", recorded_by: "program" },
});

test("E13: after a large import of others, a conversation's stream goes on from memory", async () => {
  vi.useFakeTimers();
  try {
    const bus = createBus();
    const log: SessionEvent[] = [];
    const open = vi.fn(() => {
      throw new Error("Nothing of this conversation has to be read from the log");
    });
    const events = {
      recent: (after: number) => (after < IMPORTED ? null : log.filter(({ position }) => position > after)),
      nextOf: async (_: string, after: number) => log.find(({ position }) => position > after)?.position ?? null,
    };
    const reader = eventStream(
      { events, longReads: { open }, bus, drafts: null, waiting: null },
      { position: 0, conversationId: "c", signal: new AbortController().signal },
    ).getReader();
    const next = async () => Buffer.from((await reader.read()).value ?? []).toString();
    await next();
    bus.publish(IMPORTED);
    for (const position of [IMPORTED + 1, IMPORTED + 2]) {
      const read = next();
      log.push(event(position));
      bus.publish(position);
      await vi.advanceTimersByTimeAsync(100);
      expect(await read).toContain(`"e-${position}"`);
    }
    expect(open).not.toHaveBeenCalled();
  } finally {
    vi.useRealTimers();
  }
});

test("clients at the same position get what was stored since, also in the same iteration of the event loop", async () => {
  const bus = createBus();
  const log: SessionEvent[] = [];
  const events = {
    recent: (after: number) => log.filter(({ position }) => position > after),
    nextOf: async () => null,
  };
  const longReads = {
    open() {
      throw new Error("All of the log is in memory");
    },
  };
  const clients = [1, 2].map(() =>
    eventStream(
      { events, longReads, bus, drafts: null, waiting: null },
      { position: 0, conversationId: undefined, signal: new AbortController().signal },
    ).getReader(),
  );
  const readAll = () =>
    Promise.all(clients.map(async (client) => Buffer.from((await client.read()).value ?? []).toString()));
  await readAll();
  for (const position of [1, 2, 3]) {
    const read = readAll();
    // They look before the event is there.
    await Promise.resolve();
    log.push(event(position));
    bus.publish(position);
    for (const text of await read) expect(text).toContain(`"e-${position}"`);
  }
});
