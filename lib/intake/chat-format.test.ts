import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { identifier } from "../session/events/catalogue.ts";
import { statusOf } from "../session/summary/summary.ts";
import { type ChatConversation, chatConversation, chatEvents } from "./chat-format.ts";
import { eventProblems } from "./new-event.ts";
import { anyChat } from "./testing/chats.ts";
import { folded } from "./testing/stored.ts";

const chats = readFileSync(new URL("../../e2e/fixtures/support-chats.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => chatConversation.parse(JSON.parse(line)));

function chat(id: string): ChatConversation {
  const found = chats.find((one) => one.id === id);
  if (!found) throw new Error(`No fixture ${id}`);
  return found;
}

/** Events as short lines. */
function story(id: string): string[] {
  return chatEvents(chat(id)).events.map(({ type, payload }) => {
    const of = typeof payload === "object" && payload !== null && !Array.isArray(payload) ? payload : {};
    const said = [of.role, of.call_id, of.iteration, of.reason].filter((word) => word !== undefined);
    return [type, ...said].join(" ");
  });
}

describe("chat import", () => {
  it("converts every entry to a message, in order, with its text", () => {
    for (const one of chats) {
      const { messages } = folded(chatEvents(one).events);
      expect(messages).toHaveLength(one.messages.length);
      expect(messages.map(({ id }) => id)).toEqual(one.messages.map((_, index) => `${one.id}:${index}`));
    }
    const [, said] = folded(chatEvents(chat("клиника-запись-6")).events).messages;
    expect(said).toMatchObject({
      role: "user",
      name: "Марина",
      content: "Здравствуйте! Можно к терапевту в субботу утром?",
    });
  });

  it.each(["n".repeat(200), "line\nbreak", "\0"])(
    "makes an actor of any name, as the export can tell it: %j",
    (name) => {
      const messages = [
        { role: "user", content: "Hello", name },
        { role: "tool", content: "done", name },
      ];
      const { events } = chatEvents(chatConversation.parse({ id: "c", messages }));
      expect(events.map(({ actor }) => identifier.safeParse(actor).success)).not.toContain(false);
    },
  );

  it("converts each assistant turn to a run and each use of tools to an iteration", () => {
    expect(story("shop-refund-1")).toEqual([
      "conversation.created",
      "message.created system",
      "message.created user",
      "run.started",
      "message.created assistant",
      "run.iteration 1",
      "call.started call_a1 1",
      "call.succeeded call_a1 1",
      "message.created tool",
      "message.created assistant",
      "run.iteration 2",
      "call.started call_a2 2",
      "call.failed call_a2 2",
      "message.created tool",
      "message.created assistant",
      "run.iteration 3",
      "call.started call_a3 3",
      "call.succeeded call_a3 3",
      "message.created tool",
      "message.created assistant",
      "run.finished",
      "message.created user",
      "run.started",
      "message.created assistant",
      "run.finished",
    ]);
  });

  it("parses arguments and results as JSON, and a result that begins with Error as a failed call", () => {
    const calls = [...folded(chatEvents(chat("shop-refund-1")).events).calls.values()];
    expect(calls.map(({ status }) => status)).toEqual(["succeeded", "failed", "succeeded"]);
    expect(calls[0]).toMatchObject({
      params: { order_id: "7741" },
      output: { total: 48.9, items: ["Middlemarch", "Emma"] },
    });
    expect(calls[1]).toMatchObject({
      error: { code: "error", message: "Error: amount must be a number" },
      output: null,
    });
  });

  it("matches parallel calls with their results by id, in any order", () => {
    const calls = [...folded(chatEvents(chat("shop-compare-2")).events).calls.values()];
    expect(calls.map(({ id, iteration, output }) => [id, iteration, output])).toEqual([
      ["call_b1", 1, { sku: "emma-hb", price: 18 }],
      ["call_b2", 1, { sku: "emma-pb", price: 7.99 }],
      ["call_b3", 1, 3.5],
    ]);
  });

  it("raises an alert when the agent transfers, beside the call", () => {
    const session = folded(chatEvents(chat("shop-damaged-3")).events);
    expect(session.alerts).toMatchObject([
      { text: "A parcel arrived soaked; order 7802 cannot be found.", reason: "transfer_to_human_agents" },
    ]);
    expect(statusOf(session.summary)).toBe("escalated");
    expect([...session.calls.values()].at(-1)).toMatchObject({ tool: "transfer_to_human_agents", status: "succeeded" });
    expect([...session.runs.values()]).toMatchObject([{ status: "finished", reason: "escalated" }]);
  });

  it("joins parts of a content and marks what is not text", () => {
    const { messages } = folded(chatEvents(chat("shop-damaged-3")).events);
    expect(messages[1]?.content).toBe("My parcel arrived soaked.\n[image_url]");
  });

  it("ends the run of an unanswered call, and leaves the call open", () => {
    const session = folded(chatEvents(chat("shop-cut-off-4")).events);
    expect([...session.runs.values()]).toMatchObject([{ status: "finished", reason: "unanswered" }]);
    expect([...session.calls.values()]).toMatchObject([{ id: "call_d1", status: "running", output: null }]);
  });

  it("distinguishes calls with missing or repeated ids, and starts a run without a user", () => {
    const session = folded(chatEvents(chat("shop-odd-5")).events);
    expect(session.warnings).toEqual([]);
    expect([...session.calls.values()].map(({ id, output }) => [id, output])).toEqual([
      ["shop-odd-5:3:call:0", "closed"],
      ["call_same", "9–17"],
      ["shop-odd-5:7:call:1", "closed"],
    ]);
    expect(session.runs.size).toBe(3);
  });

  it("records which message requested which calls, and which result is a message", () => {
    const { messages } = folded(chatEvents(chat("shop-compare-2")).events);
    expect(messages[2]).toMatchObject({ content: "", metadata: { call_ids: ["call_b1", "call_b2", "call_b3"] } });
    expect(messages[3]).toMatchObject({ role: "tool", name: "delivery_cost", metadata: { call_id: "call_b3" } });
  });

  it("keeps metadata, has no times, and names actors", () => {
    const { events } = chatEvents(chat("клиника-запись-6"));
    expect(events[0]?.payload).toEqual({
      channel: "import",
      metadata: { dataset: "obelus fixtures", locale: "ru", город: "Казань" },
    });
    expect(new Set(events.map(({ occurred_at }) => occurred_at))).toEqual(new Set([null]));
    expect(new Set(events.map(({ actor }) => actor))).toEqual(
      new Set(["system", "user:Марина", "user", "agent:assistant", "tool:найти_окна", "tool:записать"]),
    );
  });

  it("keeps text that looks like JSON, and JSON that is nested too deeply, as text", () => {
    const deep = `${"[".repeat(2_000)}${"]".repeat(2_000)}`;
    const calls = [deep, "{not json", '"\\ud800"'].map((result, index) => [
      { role: "assistant" as const, tool_calls: [{ id: `c${index}`, function: { name: "read", arguments: result } }] },
      { role: "tool" as const, tool_call_id: `c${index}`, content: result },
    ]);
    const session = folded(chatEvents({ id: "texts", messages: calls.flat() }).events);
    expect([...session.calls.values()].map(({ params, output }) => [params, output])).toEqual([
      [deep, deep],
      ["{not json", "{not json"],
      ['"\\ud800"', '"\\ud800"'],
    ]);
  });

  it("E6: any chat becomes valid events that reduce without a warning", () => {
    fc.assert(
      fc.property(anyChat, (one) => {
        const { events } = chatEvents(chatConversation.parse(one));
        const session = folded(events);
        const ids = new Set(events.map(({ id }) => id));
        expect(events.flatMap(eventProblems)).toEqual([]);
        expect(ids.size).toBe(events.length);
        expect(
          events.every(
            ({ caused_by }, index) => caused_by === null || events.findIndex(({ id }) => id === caused_by) < index,
          ),
        ).toBe(true);
        expect(session.warnings).toEqual([]);
        expect(session.messages).toHaveLength(one.messages.length);
        expect(Object.keys(session.summary.open_runs)).toEqual([]);
      }),
    );
  });

  it("is deterministic, so that importing twice creates no duplicates", () => {
    fc.assert(
      fc.property(anyChat, (one) => {
        expect(chatEvents(one)).toEqual(chatEvents(one));
      }),
    );
  });
});
