import { describe, expect, it } from "vitest";
import type { Conversation } from "@/lib/api/shapes.ts";
import { emptySummary } from "@/lib/session/summary/summary.ts";
import { type ConversationPages, countNew, rowsOf, updateInPlace } from "./conversation-pages.ts";

function row(id: string, title = id): Conversation {
  const { open_runs, open_calls, awaiting, unanswered, escalated, failures, ...rest } = emptySummary();
  const { newest_run, simulated, ended, asked, untouched, ...summary } = rest;
  const at = "2026-01-08T12:00:00.000Z";
  const counts = {
    fork_count: 0,
    fork_mode: null,
    scores: [],
    tokens: null,
    cost: null,
    queue: null,
    note_count: 0,
    error_count: failures.count,
  };
  const standing = { status: "idle", shown_status: "done", unanswered: null } as const;
  return { ...summary, ...counts, ...standing, id, title, created_at: at, updated_at: at };
}

const data: ConversationPages = {
  pages: [
    { items: [row("a"), row("b")], next: "1", prev: null },
    { items: [row("b"), row("c")], next: null, prev: "2" },
  ],
  pageParams: [null, "1"],
};

describe("C1: updates are merged into the list without moving it", () => {
  it("shows a row once that is on two pages", () => {
    expect(rowsOf(data).map(({ id }) => id)).toEqual(["a", "b", "c"]);
  });

  it("updates rows in place and adds none", () => {
    const head = { items: [row("c", "renamed"), row("d"), row("a")], next: "1", prev: null };
    const rows = rowsOf(updateInPlace(data, head));
    expect(rows.map(({ title }) => title)).toEqual(["a", "b", "renamed"]);
  });

  it("counts only rows that are not listed yet", () => {
    expect(countNew(data, { items: [row("d"), row("c"), row("e"), row("a")], next: null, prev: null })).toBe(2);
  });
});
