import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SessionEvent } from "@/lib/session/event.ts";
import type { Json } from "@/lib/session/json/json.ts";
import { emptySession, fold } from "@/lib/session/reducer/reducer.ts";
import { toView } from "@/lib/session/view.ts";
import { CHUNK, SessionCache } from "./session-cache.ts";

const LENGTH = 3 * CHUNK + 20;

function eventOf(seq: number, type: string, payload: Json): SessionEvent {
  const at = new Date(1_700_000_000_000 + seq * 100).toISOString();
  const ids = { id: `e${seq}`, conversation_id: "c", run_id: `r${Math.floor(seq / 40)}`, parent_run_id: null };
  return {
    ...ids,
    seq,
    position: seq,
    type,
    actor: "system",
    agent_id: null,
    caused_by: null,
    payload,
    occurred_at: at,
    recorded_at: at,
  };
}

/** A session in which each turn writes, calls, stores and remembers, over several chunks. */
const events = Array.from({ length: LENGTH }, (_, i) => {
  const seq = i + 1;
  const call = { call_id: `c${Math.floor((seq % 40) / 4)}`, tool: "crm.deal.get", iteration: 1 };
  switch (seq % 40) {
    case 0:
      return eventOf(seq, "run.started", { iteration: 1 });
    case 1:
      return eventOf(seq, "message.created", { message_id: `m${seq}`, role: "user", content: `Message ${seq}` });
    case 39:
      return eventOf(seq, "run.finished", {});
    default:
      return (
        [
          eventOf(seq, "call.started", { ...call, params: { seq } }),
          eventOf(seq, "state.written", { path: `†state.v${seq % 40}`, value: seq, call_id: call.call_id }),
          eventOf(seq, "call.succeeded", { ...call, output: seq }),
          eventOf(seq, "memory.updated", { delta: [{ op: "add", path: "", value: { seq } }] }),
        ][seq % 4] ?? eventOf(seq, "log", null)
      );
  }
});

const truth = [emptySession("c")];
for (const event of events) truth.push(fold(truth[event.seq - 1] ?? emptySession("c"), [event]));

/** The server's response for a step, serialized. */
function viewAt(seq: number) {
  return JSON.parse(JSON.stringify(toView(truth[seq] ?? emptySession("c"), LENGTH)));
}

type Deed = { kind: "events"; after: number } | { kind: "view" | "look"; at: number };

const step = fc.integer({ min: 0, max: LENGTH });
const deeds: fc.Arbitrary<Deed[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("events" as const), after: step }),
    fc.record({ kind: fc.constantFrom("view" as const, "look" as const), at: step }),
  ),
  { maxLength: 30 },
);

describe("E7: the same session whichever way it was reached", () => {
  test("whatever was loaded before, a session equals folding from the first event", () => {
    fc.assert(
      fc.property(deeds, fc.constantFrom(64_000_000, 30_000), (all, mostWeight) => {
        const cache = new SessionCache("c", mostWeight);
        for (const deed of all) {
          if (deed.kind === "events") cache.addEvents(events.slice(deed.after, deed.after + CHUNK));
          else if (deed.kind === "view") cache.addView(viewAt(deed.at));
          else {
            const session = cache.sessionAt(deed.at);
            if (session) expect(session).toEqual(truth[deed.at]);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test("stepping back equals never having gone further", () => {
    const cache = new SessionCache("c");
    cache.addEvents(events);
    for (const at of [LENGTH, 10, 400, 399, 398, LENGTH - 1, 0]) expect(cache.sessionAt(at)).toEqual(truth[at]);
  });
});

test("C5: a session that takes long to fold is folded in several calls", () => {
  const cache = new SessionCache("c");
  cache.addEvents(events);
  const past = performance.now() - 1;
  expect(cache.sessionAt(LENGTH, past)).toBeNull();
  expect(cache.sessionAt(LENGTH)).toEqual(truth[LENGTH]);
  expect(cache.sessionAt(LENGTH, past)).toEqual(truth[LENGTH]);
});

describe("E8: a long session does not have to be loaded", () => {
  test("returns nothing that was not loaded", () => {
    const cache = new SessionCache("c");
    expect(cache.sessionAt(LENGTH)).toBeNull();
    cache.addEvents(events.slice(2 * CHUNK, 3 * CHUNK));
    expect(cache.sessionAt(2 * CHUNK + 10)).toBeNull();
    expect(cache.eventAt(2 * CHUNK + 10)?.seq).toBe(2 * CHUNK + 10);
  });

  test("a view and its chunk's events are enough for every step of the chunk", () => {
    const cache = new SessionCache("c");
    cache.addView(viewAt(2 * CHUNK));
    cache.addEvents(events.slice(2 * CHUNK, 3 * CHUNK));
    for (const at of [2 * CHUNK, 2 * CHUNK + 1, 3 * CHUNK]) expect(cache.sessionAt(at)).toEqual(truth[at]);
    expect(cache.has(2 * CHUNK - 1)).toBe(false);
  });

  test("the least recently used chunk is evicted, the newest kept", () => {
    const cache = new SessionCache("c", 10_000);
    cache.addEvents(events.slice(0, CHUNK));
    cache.addEvents(events.slice(CHUNK, 2 * CHUNK));
    cache.addEvents(events.slice(2 * CHUNK, 3 * CHUNK));
    expect(cache.eventAt(1)).toBeNull();
    expect(cache.eventAt(3 * CHUNK)).not.toBeNull();
  });
});
