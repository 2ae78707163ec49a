import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionEvent } from "../event.ts";
import { PAYLOADS } from "../events/catalogue.ts";
import { isEventType } from "../events/kinds.ts";
import { LARGEST_VALUE } from "../json/cite.ts";
import type { Message, View } from "../session.ts";
import { anySession, event, session } from "../testing/events.ts";
import { fromView, toView } from "../view.ts";
import { emptySession, fold } from "./reducer.ts";
import { readSnapshot, takeSnapshot } from "./snapshot.ts";

function viewOf(events: SessionEvent[]): View {
  return toView(fold(emptySession("c"), events), events.length);
}

describe("any session", () => {
  it("has valid events, so that these properties are about what can be stored", () => {
    fc.assert(
      fc.property(anySession, (events) => {
        for (const { type, payload } of events) if (isEventType(type)) PAYLOADS[type].parse(payload);
      }),
    );
  });

  it("E7: gives the same view with any batches", () => {
    fc.assert(
      fc.property(anySession, fc.nat(60), (events, cut) => {
        const halves = fold(fold(emptySession("c"), events.slice(0, cut)), events.slice(cut));
        const single = events.reduce((sum, one) => fold(sum, [one]), emptySession("c"));
        expect(toView(halves, events.length)).toEqual(viewOf(events));
        expect(toView(single, events.length)).toEqual(viewOf(events));
      }),
    );
  });

  it("E7: continues from a snapshot as from the first event", () => {
    fc.assert(
      fc.property(anySession, fc.nat(60), (events, cut) => {
        const before = events.slice(0, cut);
        const text = takeSnapshot(fold(emptySession("c"), before));
        const restored = readSnapshot(text, messagesOf(before));
        expect(toView(fold(restored, events.slice(cut)), events.length)).toEqual(viewOf(events));
      }),
    );
  });

  it("E7: continues in the browser from a view as from the first event", () => {
    fc.assert(
      fc.property(anySession, fc.nat(60), (events, cut) => {
        const sent: View = JSON.parse(JSON.stringify(viewOf(events.slice(0, cut))));
        expect(toView(fold(fromView(sent), events.slice(cut)), events.length)).toEqual(viewOf(events));
      }),
    );
  });

  it("E7: is immutable, so that going back equals never having continued", () => {
    fc.assert(
      fc.property(anySession, fc.nat(60), (events, cut) => {
        const at = fold(emptySession("c"), events.slice(0, cut));
        const copy = structuredClone(at);
        deepFreeze(at);
        fold(at, events.slice(cut));
        expect(at).toEqual(copy);
      }),
    );
  });

  it("E8: replaces values over 16 kB by references", () => {
    const large = "ж".repeat(LARGEST_VALUE);
    const view = viewOf(
      session(
        ["message.created", { message_id: "m", role: "user", content: large }],
        ["state.written", { path: "†state.doc", value: { text: large } }],
        ["state.written", { path: "†state.doc.title", value: "small" }],
      ),
    );
    const bytes = LARGEST_VALUE * 2 + 2;
    expect(view.messages[0]?.content).toEqual({
      $ref: "/api/conversations/c/events?after=0&limit=1#/items/0/payload/content",
      bytes,
    });
    expect(view.state[""]).toEqual({
      doc: {
        $ref: "/api/conversations/c/events?after=1&limit=1#/items/0/payload/value",
        bytes: bytes + 9,
        title: "small",
      },
    });
  });

  it("E8: keeps the newest 200 messages and counts the others", () => {
    const events = Array.from({ length: 230 }, (_, i) =>
      event(i + 1, "message.created", { message_id: `m${i}`, role: "user", content: `${i}` }),
    );
    const view = viewOf(events);
    expect(view.messages).toHaveLength(200);
    expect(view.messages_before).toBe(30);
    expect(view.messages[0]?.content).toBe("30");
  });

  it("E8: drops whole plans of past runs if there are many calls, never the current one", () => {
    const events: SessionEvent[] = [];
    const add = (type: string, payload: SessionEvent["payload"], run: string) =>
      events.push(event(events.length + 1, type, payload, { run_id: run }));
    for (let run = 0; run < 30; run += 1) {
      add("run.started", {}, `r${run}`);
      for (let call = 0; call < 50; call += 1) {
        add("call.started", { call_id: `c${call}`, tool: "t" }, `r${run}`);
        add("call.succeeded", { call_id: `c${call}`, tool: "t" }, `r${run}`);
      }
      add("run.finished", {}, `r${run}`);
    }
    const view = viewOf(events);
    expect(view.calls.length).toBeLessThanOrEqual(1_050);
    expect(view.calls.length + view.calls_before).toBe(1_500);
    expect(view.plan?.calls).toHaveLength(50);
    expect(new Set(view.calls.map((call) => call.run_id)).size).toBe(view.calls.length / 50);
  });
});

function messagesOf(events: SessionEvent[]): (Message & { content: string })[] {
  return events
    .filter(({ type }) => type === "message.created")
    .slice(-200)
    .map((one) => {
      const payload = PAYLOADS["message.created"].parse(one.payload);
      return {
        id: payload.message_id,
        seq: one.seq,
        role: payload.role,
        content: payload.content,
        name: payload.name ?? null,
        run_id: one.run_id,
        created_at: one.occurred_at,
        metadata: null,
      };
    });
}

/** Freezes everything but maps, which cannot be frozen: the comparison with the copy covers those. */
function deepFreeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  if (value instanceof Map) for (const entry of value.values()) deepFreeze(entry);
  else Object.freeze(value);
  for (const entry of Object.values(value)) deepFreeze(entry);
}
