import { describe, expect, test } from "vitest";
import { bookmarksOf } from "./bookmarks.ts";
import type { Json } from "./json/json.ts";
import { emptySession, fold } from "./reducer/reducer.ts";
import { statusOf } from "./summary/summary.ts";
import { session as steps } from "./testing/events.ts";

const bookmarks = (...told: [string, Json][]) => bookmarksOf(steps(...told));
const mark = (seq: number, note?: string): [string, Json] => [
  "conversation.bookmarked",
  { seq, ...(note !== undefined && { note }) },
];

describe("C5: bookmarks", () => {
  test("are ordered by step, each with its newest note", () => {
    const told = bookmarks(["log", 1], ["log", 2], mark(2), mark(1, "first"), mark(2, "second"));
    expect(told).toMatchObject([
      { seq: 1, note: "first", set_seq: 4 },
      { seq: 2, note: "second", set_seq: 5 },
    ]);
  });

  test("are gone when deleted, and can be set again", () => {
    const away: [string, Json] = ["conversation.unbookmarked", { seq: 1 }];
    expect(bookmarks(["log", 1], mark(1, "old"), away)).toEqual([]);
    expect(bookmarks(["log", 1], mark(1, "old"), away, mark(1))).toMatchObject([{ seq: 1, note: null }]);
  });

  test("of later steps are ignored", () => {
    expect(bookmarks(["log", 1], mark(3))).toEqual([]);
  });

  test("are no activity: status, list position and activity stay", () => {
    const before = steps(
      ["message.created", { message_id: "m", role: "user", content: "hi" }],
      ["manager.alerted", { text: "help" }],
    );
    const [event] = steps(mark(1, "look")).map((one) => ({
      ...one,
      seq: 3,
      position: 3,
      occurred_at: "2099-01-01T00:00:00.000Z",
      recorded_at: "2099-01-01T00:00:00.000Z",
    }));
    if (!event) throw new Error("There is one event");
    const session = fold(emptySession("c"), before);
    const marked = fold(session, [event]);
    expect(marked.summary).toEqual({ ...session.summary, event_count: 3, last_seq: 3 });
    expect(statusOf(marked.summary)).toBe(statusOf(session.summary));
    expect(marked).toEqual({ ...session, at: 3, summary: marked.summary });
  });
});
