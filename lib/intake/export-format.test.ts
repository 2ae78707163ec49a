import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Bookmark } from "../session/bookmarks.ts";
import type { SessionEvent } from "../session/event.ts";
import { chatEvents } from "./chat-format.ts";
import { copyConversation, ExportReader, writeExport } from "./export-format.ts";
import { type ImportedConversation, newEvent } from "./new-event.ts";
import { anyChat } from "./testing/chats.ts";
import { all, folded, stored } from "./testing/stored.ts";

async function exported(events: SessionEvent[], bookmarks: readonly Bookmark[] = []): Promise<string[]> {
  const id = events[0]?.conversation_id ?? "empty";
  return all(writeExport({ id, last_seq: events.length, bookmarks, scores: [], notes: [] }, events));
}

function imported(lines: string[]): ImportedConversation {
  const [header = "null", ...rest] = lines;
  const reader = new ExportReader(JSON.parse(header), 1);
  for (const [index, line] of rest.entries()) reader.add(JSON.parse(line), index + 2);
  return reader.end(lines.length);
}

const deal = {
  conversation_id: "deal",
  occurred_at: "2026-11-21T12:58:02.000Z",
  recorded_at: "2026-11-21T12:58:02.040Z",
};
const asked = newEvent(
  "confirmation.requested",
  {
    confirmation_id: "ask",
    key: "deal_1842_opportunity",
    call_id: "update",
    action: { method: "crm.deal.update", params: { id: 1842 } },
  },
  { ...deal, id: "e3", run_id: "r", caused_by: "e2" },
);
const session = [
  newEvent("conversation.created", { title: "Сделка 1842" }, { ...deal, id: "e1" }),
  newEvent(
    "message.created",
    { message_id: "m", role: "user", content: "Подними сумму" },
    { ...deal, id: "e2", caused_by: "elsewhere" },
  ),
  asked,
];

describe("native export", () => {
  it("starts with a header of format, version and conversation", async () => {
    const [header] = await exported(stored(session));
    expect(JSON.parse(header ?? "")).toEqual({
      format: "obelus.conversation",
      version: 1,
      conversation: { id: "deal", last_seq: 3, bookmarks: 0 },
    });
  });

  it("E14: export, import and export again give the same file on a server with another log", async () => {
    await fc.assert(
      fc.asyncProperty(anyChat, fc.nat(), async (chat, position) => {
        const first = await exported(stored(chatEvents(chat).events));
        const again = await exported(stored(imported(first).events, position));
        expect(again).toEqual(first);
      }),
      { numRuns: 50 },
    );
  });

  it("C5: has bookmarks after the events, by step", async () => {
    const mark = (seq: number) => ({ seq, note: "here", by: null, at: deal.occurred_at, set_seq: 3 });
    const lines = await exported(stored(session), [mark(1), mark(3)]);
    expect(imported(lines).bookmarks).toEqual([mark(1), mark(3)]);
    expect(copyConversation(imported(lines), "copy").bookmarks).toEqual([mark(1), mark(3)]);
    expect(() => imported(lines.slice(0, -1))).toThrow("ends at bookmark 1 of 2: it is incomplete");
    expect(() => imported(lines.with(5, JSON.stringify({ bookmark: mark(4) })))).toThrow("3 is the last step");
    expect(() => imported(lines.with(5, lines[4] ?? ""))).toThrow("a step after 1 has to follow");
  });

  it("keeps ids and the original server's times", async () => {
    const { conversation_id, events } = imported(await exported(stored(session)));
    expect(conversation_id).toBe("deal");
    expect(events).toEqual(session);
  });

  const refusals: [title: string, change: (lines: string[]) => void, message: string, path: string][] = [
    [
      "a newer version",
      (lines) => edit(lines, 0, (header) => ({ ...header, version: 4 })),
      "Line 1: version must be one of 1, 2, 3; update this server",
      "/version",
    ],
    [
      "a file that was cut off",
      (lines) => lines.pop(),
      "Line 3: the export ends at event 2 of 3: it is incomplete",
      "",
    ],
    ["a step that is missing", (lines) => lines.splice(2, 1), "Line 3: seq is 3, expected 2", "/seq"],
    [
      "another conversation's event",
      (lines) => edit(lines, 2, (event) => ({ ...event, conversation_id: "other" })),
      "not deal",
      "/conversation_id",
    ],
    [
      "an id that stands twice",
      (lines) => edit(lines, 2, (event) => ({ ...event, id: "e1" })),
      "e1 appears twice",
      "/id",
    ],
    [
      "a field that is not known",
      (lines) => edit(lines, 1, (event) => ({ ...event, colour: "red" })),
      "colour is not a known field",
      "/colour",
    ],
    [
      "a payload against the catalogue",
      (lines) => edit(lines, 2, (event) => ({ ...event, payload: { role: "user" } })),
      "message_id",
      "/payload/message_id",
    ],
    [
      "a run's event without a run",
      (lines) => edit(lines, 2, (event) => ({ ...event, type: "run.started", payload: {} })),
      "add it",
      "/run_id",
    ],
    [
      "a time that is none",
      (lines) => edit(lines, 3, (event) => ({ ...event, occurred_at: "yesterday" })),
      "must be a time",
      "/occurred_at",
    ],
  ];
  it.each(refusals)("refuses %s with line, place and a sentence", async (_title, change, message, path) => {
    const lines = await exported(stored(session));
    change(lines);
    expect(() => imported(lines)).toThrow(expect.objectContaining({ message: expect.stringContaining(message), path }));
  });
});

describe("copy", () => {
  const copy = copyConversation({ conversation_id: "deal", events: session }, "copy");

  it("renames the conversation's ids everywhere, and no others", () => {
    expect(
      copy.events.map(({ id, conversation_id, run_id, caused_by }) => [id, conversation_id, run_id, caused_by]),
    ).toEqual([
      ["copy:1", "copy", null, null],
      ["copy:2", "copy", null, "elsewhere"],
      ["copy:3", "copy", "copy:run:1", "copy:2"],
    ]);
    expect(copy.events[1]?.payload).toMatchObject({ message_id: "copy:message:1", content: "Подними сумму" });
    expect(copy.events[2]?.payload).toMatchObject({ confirmation_id: "copy:confirmation:1", call_id: "update" });
  });

  it("records its origin, also if the source has no creation event", () => {
    expect(copy.events[0]?.payload).toEqual({ title: "Сделка 1842", origin: { conversation_id: "deal" } });
    const [first] = copyConversation({ conversation_id: "deal", events: [asked] }, "copy").events;
    expect(first).toMatchObject({ type: "conversation.created", payload: { origin: { conversation_id: "deal" } } });
  });

  it("D2, D7: keeps the dialog's state, except the response that only the source can continue", () => {
    const kept = { stage: "demo", response_id: { response_id: "resp_1" } };
    const events = Object.entries(kept).map(([key, value]) => ({
      ...asked,
      id: key,
      type: "agent_state.written",
      payload: { agent_id: "dialog:deal", key, value },
    }));
    const foreign = { ...asked, type: "agent_state.written", payload: { agent_id: "planner", key: "plan", value: 1 } };
    const copied = copyConversation({ conversation_id: "deal", events: [...events, foreign] }, "copy").events;
    expect(copied.slice(1).map(({ payload }) => payload)).toEqual([
      { agent_id: "dialog:copy", key: "stage", value: "demo" },
      { agent_id: "dialog:copy", key: "response_id", value: null },
      { agent_id: "planner", key: "plan", value: 1 },
    ]);
  });

  it("E14: any copy reduces like its source, except for ids", () => {
    fc.assert(
      fc.property(anyChat, (chat) => {
        const source = chatEvents(chat);
        const copied = folded(copyConversation(source, "copy").events);
        const original = folded(source.events);
        expect(copied.warnings).toEqual([]);
        expect([...copied.calls.values()].map(({ status, output }) => [status, output])).toEqual(
          [...original.calls.values()].map(({ status, output }) => [status, output]),
        );
        expect(copied.messages.map(({ content }) => content)).toEqual(original.messages.map(({ content }) => content));
        expect(copied.runs.size).toBe(original.runs.size);
      }),
    );
  });
});

function edit(lines: string[], index: number, change: (value: Record<string, unknown>) => unknown): void {
  lines[index] = JSON.stringify(change(JSON.parse(lines[index] ?? "")));
}

it("a header that does not count bookmarks loses no scores", () => {
  const conversation = { id: "a", last_seq: 1, scores: 1 };
  const reader = new ExportReader({ format: "obelus.conversation", version: 3, conversation }, 1);
  const at = "2026-11-20T09:00:00.000Z";
  const none = { actor: null, agent_id: null, run_id: null, parent_run_id: null, caused_by: null };
  reader.add(
    { id: "a-1", conversation_id: "a", seq: 1, type: "log", ...none, payload: {}, occurred_at: at, recorded_at: at },
    2,
  );
  const score = { name: "quality", value: 1, source: "program", comment: null, by: null, at };
  reader.add({ score: { seq: null, run_id: null, call_id: null, ...score } }, 3);
  expect(reader.end(3).scores).toMatchObject([{ name: "quality", value: 1 }]);
});
