import { expect, test } from "vitest";
import type { Conversation } from "@/lib/api/shapes.ts";
import { parseFilters } from "../filters/filters.ts";
import { exportedColumns, gridOf, parseColumns, printColumns, shownColumns, sortOf, toggledSort } from "./columns.ts";

const row: Conversation = {
  ...{ id: "c", title: "A", subject: null, channel: null, user_id: null, agent_id: "support", stage: null },
  ...{ status: "idle", shown_status: "done", unanswered: null, error_count: 0, fork_count: 0, fork_mode: null },
  ...{ message_count: 2, event_count: 9, call_count: 0, last_seq: 9, note_count: 0, forked_from: null, preview: null },
  ...{ created_at: "2026-11-20T09:00:00.000Z", updated_at: "2026-11-20T09:05:00.000Z", taken_over: null },
  ...{ queue: null, scores: [], tokens: 100, cost: 0 },
  activity: { start: null, width: 0, counts: [], marks: "" },
};

const state = (search: string) => parseFilters(new URLSearchParams(search));

test("columns that have nothing in any row are not shown, unless they were chosen or the list is sorted by them", () => {
  expect(shownColumns(state(""), [row])).toEqual(["agent", "activity", "messages"]);
  expect(shownColumns(state("columns=stage,cost"), [row])).toEqual(["stage", "cost"]);
  expect(shownColumns(state("columns=stage&sort=cost"), [row])).toEqual(["stage", "cost"]);
  expect(shownColumns(state("sort=cost"), [row])).toEqual(["agent", "activity", "messages", "cost"]);
  expect(shownColumns(state("queue=mine"), [row])).toEqual(["owner", "tags", "due"]);
  expect(shownColumns(state("columns=none"), [row])).toEqual([]);
});

test("chosen columns are in the address, in their order; unknown ones are ignored", () => {
  expect(printColumns(["cost", "agent"])).toBe("agent,cost");
  expect(parseColumns("cost,nonsense,agent")).toEqual(["agent", "cost"]);
  expect(parseColumns(printColumns([]))).toEqual([]);
  expect(parseColumns("")).toBeNull();
  expect(parseColumns("zzz")).toBeNull();
});

test("the head sorts by the largest, then by the smallest, then by activity again", () => {
  const cost = { by: "cost" } as const;
  expect(toggledSort(cost, state(""))).toEqual({ sort: "cost", order: "" });
  expect(toggledSort(cost, state("sort=cost"))).toEqual({ sort: "cost", order: "asc" });
  expect(toggledSort(cost, state("sort=cost&order=asc"))).toEqual({ sort: "", order: "" });
  expect(toggledSort({ by: "updated" }, state(""))).toEqual({ sort: "", order: "asc" });
});

test("scores are sorted by the name that people read first", () => {
  const score = (name: string) => ({ name, kind: "number" as const, count: 1, value: 3 });
  expect(sortOf("score", [{ ...row, scores: [score("other"), score("rating")] }])).toEqual({
    by: "score",
    score: "rating",
  });
  expect(sortOf("score", [row])).toBeNull();
  expect(sortOf("user", [row])).toBeNull();
});

test("an export has the chosen columns, and a row's grid one track for each column", () => {
  expect(exportedColumns("")).toBeUndefined();
  expect(exportedColumns("owner,activity,cost")).toBe("id,title,status,channel,assignee,cost,updated_at");
  expect(gridOf(["agent", "stage"], false)["--grid-middle"]).toBe("16px 20px 18px minmax(200px, 1fr) 112px 84px");
  expect(gridOf(["agent", "stage"], true)["--grid-middle"]).toContain("112px 104px 84px");
});
