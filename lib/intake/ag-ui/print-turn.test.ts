import { type AGUIEvent, EventType } from "@ag-ui/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../../session/event.ts";
import type { JsonObject } from "../../session/json/json.ts";
import { anySession } from "../../session/testing/events.ts";
import { AgUiTurnPrinter } from "./print-turn.ts";
import { breaches } from "./testing/protocol.ts";

const TURN = { threadId: "thread", name: "front", runId: "r", tools: new Set(["show"]), state: {} };

let seq = 0;
function event(type: string, payload: JsonObject, runId: string | null = "r"): SessionEvent {
  seq += 1;
  return {
    ...{ id: `e${seq}`, conversation_id: "thread", seq, position: seq, type, actor: null, agent_id: "a" },
    ...{ run_id: runId, parent_run_id: null, caused_by: null, payload },
    ...{ occurred_at: null, recorded_at: "2026-01-01T00:00:00.000Z" },
  };
}

const said = (content: string) => event("message.created", { message_id: `m${seq}`, role: "assistant", content });

/** The run with what happens in it; drafts are objects that grow. */
function printed(...happens: (SessionEvent | { text: string })[]): AGUIEvent[] {
  const printer = new AgUiTurnPrinter(TURN);
  const events = [
    ...printer.begin(),
    ...printer.print(event("run.started", {})),
    ...happens.flatMap((each) => ("text" in each ? printer.draft(each) : printer.print(each))),
    ...printer.print(event("run.finished", { output: "" })),
    ...printer.end(),
  ];
  expect(breaches(events)).toEqual([]);
  return events;
}

/** The texts of each message, in pieces. */
function texts(events: readonly AGUIEvent[]): string[][] {
  const found = new Map<string, string[]>();
  for (const each of events) {
    if (each.type === EventType.TEXT_MESSAGE_START) found.set(each.messageId, []);
    if (each.type === EventType.TEXT_MESSAGE_CONTENT) found.get(each.messageId)?.push(each.delta);
  }
  return [...found.values()];
}

describe("an answer that is streamed", () => {
  test("is one message: its draft, and the rest when it is recorded", () => {
    const draft = { text: "Hel" };
    const events = printed(draft, Object.assign(draft, { text: "Hello" }), said("Hello there"));
    expect(texts(events)).toEqual([["Hello", " there"]]);
  });

  test("without a draft is whole", () => {
    expect(texts(printed(said("Hello")))).toEqual([["Hello"]]);
  });

  test("is recorded otherwise: its draft ends, and what is recorded follows", () => {
    expect(texts(printed({ text: "Hmm" }, said("Hello")))).toEqual([["Hmm"], ["Hello"]]);
  });

  test("has no halves of characters", () => {
    const draft = { text: "\ud83d" };
    const printer = new AgUiTurnPrinter(TURN);
    const first = printer.draft(draft);
    draft.text = "\ud83d\udc4b";
    expect(texts([...first, ...printer.draft(draft)])).toEqual([["\ud83d\udc4b"]]);
  });

  test("a draft that nothing follows ends with the run", () => {
    expect(texts(printed({ text: "Half" }))).toEqual([["Half"]]);
  });

  test("two drafts are two messages", () => {
    expect(texts(printed({ text: "One" }, said("One"), { text: "Two" }, said("Two!")))).toEqual([
      ["One"],
      ["Two", "!"],
    ]);
  });
});

test("the user's own messages, prompts and requests to models are not printed", () => {
  const heard = event("message.created", { message_id: "u", role: "user", content: "secret" }, null);
  const rendered = event("prompt.rendered", { prompt: "secret" });
  expect(JSON.stringify(printed(heard, rendered))).not.toContain("secret");
});

test("whatever happens in a run, the protocol's rules hold", () => {
  fc.assert(
    fc.property(anySession, fc.nat(), (events, nth) => {
      const runs = [...new Set(events.flatMap(({ run_id }) => run_id ?? []))];
      const runId = runs[nth % Math.max(1, runs.length)];
      if (runId === undefined) return;
      const printer = new AgUiTurnPrinter({ ...TURN, runId });
      const all = printer.begin();
      for (const each of events) {
        all.push(...printer.print(each));
        if (printer.isOver) break;
      }
      const isOver = printer.isOver;
      all.push(...printer.end());
      expect(breaches(all)).toEqual([]);
      if (isOver) expect(all.at(-1)?.type).toMatch(/^RUN_(FINISHED|ERROR)$/);
    }),
  );
});
