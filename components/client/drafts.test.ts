import { describe, expect, test } from "vitest";
import type { SessionEvent } from "@/lib/session/event.ts";
import { session } from "@/lib/session/testing/events.ts";
import { Drafts } from "./drafts.ts";

const piece = (offset: number, text: string, run_id = "run") => ({
  conversation_id: "c",
  run_id,
  agent_id: "crm",
  offset,
  text,
});
/** An event of the run at step 7. */
const event = (type: string, payload: SessionEvent["payload"] = {}): SessionEvent[] =>
  session([type, payload]).map((each) => ({ ...each, seq: 7, run_id: "run" }));

describe("E13: a draft is assembled from its pieces", () => {
  test("only a matching piece is appended, and a piece at offset 0 starts a new draft", () => {
    const drafts = new Drafts();
    expect(drafts.take(piece(3, "is"))).toBe(false);
    expect(drafts.take(piece(0, "It "))).toBe(true);
    expect(drafts.take(piece(3, "is"))).toBe(true);
    expect(drafts.take(piece(9, "lost"))).toBe(false);
    expect(drafts.get("run")).toMatchObject({ text: "It is", until: null });
    drafts.take(piece(0, "Another"));
    expect(drafts.get("run")?.text).toBe("Another");
  });

  test.each([
    ["message.created", { message_id: "m", role: "assistant", content: "It is" }],
    ["run.finished", {}],
    ["run.failed", { error: { code: "x", message: "x" } }],
    ["run.cancelled", {}],
    ["model.failed", { model: "m", error: { code: "x", message: "x" } }],
    ["run.iteration", { iteration: 2 }],
  ])("%s of its run ends it, from that step on", (type, payload) => {
    const drafts = new Drafts();
    drafts.take(piece(0, "It is"));
    expect(drafts.hear(event(type, payload))).toBe(true);
    expect(drafts.get("run")).toMatchObject({ text: "It is", until: 7 });
    expect(drafts.take(piece(5, " warm"))).toBe(false);
  });

  test("no other event ends it: neither a user's message nor another run", () => {
    const drafts = new Drafts();
    drafts.take(piece(0, "It is"));
    const others = event("run.finished").map((each) => ({ ...each, run_id: "other" }));
    expect(drafts.hear(event("message.created", { message_id: "m", role: "user", content: "Hey" }))).toBe(false);
    expect(drafts.hear([...others, ...event("call.started", { call_id: "a", tool: "b" })])).toBe(false);
    expect(drafts.get("run")?.until).toBeNull();
  });

  test("ended drafts are removed when the next one starts, and all drafts when the connection breaks", () => {
    const drafts = new Drafts();
    drafts.take(piece(0, "It is"));
    drafts.take(piece(0, "Going on", "second"));
    drafts.hear(event("run.finished"));
    drafts.take(piece(0, "Hello", "third"));
    expect([...drafts.list()].map(({ run_id }) => run_id)).toEqual(["second", "third"]);
    expect(drafts.clear()).toBe(true);
    expect([...drafts.list()]).toEqual([]);
  });
});
