import { expect, it } from "vitest";
import type { SessionEvent } from "@/lib/session/event.ts";
import { arrivedBefore, gather, withNewest } from "./arrivals.ts";

function event(position: number, conversation_id: string | null, type = "log"): SessionEvent {
  const rest = { actor: null, agent_id: null, run_id: null, parent_run_id: null, caused_by: null, payload: null };
  const recorded_at = new Date(position).toISOString();
  return { ...rest, id: `${position}`, conversation_id, seq: position, position, type, occurred_at: null, recorded_at };
}

const shown = (arrivals: readonly { conversation_id: string | null; type: string; steps: number }[]) =>
  arrivals.map(({ conversation_id, type, steps }) => [conversation_id, type, steps]);

it("C11: lists conversations by their newest event, newest first", () => {
  const first = gather([], [event(1, "a", "run.started"), event(2, "b"), event(3, "a", "run.finished")]);
  expect(shown(first)).toEqual([
    ["a", "run.finished", 2],
    ["b", "log", 1],
  ]);
  expect(shown(gather(first, [event(4, "b", "run.failed")]))).toEqual([
    ["b", "run.failed", 2],
    ["a", "run.finished", 2],
  ]);
});

it("C11: counts a repeated event once, and keeps only the newest conversations", () => {
  const once = gather([], [event(5, "a")]);
  expect(gather(once, [event(5, "a"), event(4, "a")])).toEqual(once);
  const many = gather(
    [],
    Array.from({ length: 20 }, (_, n) => event(n, `c${n}`)),
  );
  expect(many.map(({ conversation_id }) => conversation_id)).toEqual(["c19", "c18", "c17", "c16", "c15", "c14"]);
});

it("C11: lists earlier conversations below, unless they have new events", () => {
  const before = arrivedBefore(event(1, "a"));
  expect(shown(withNewest(gather([], [event(2, "b")]), before))).toEqual([
    ["b", "log", 1],
    ["a", "log", 0],
  ]);
  expect(shown(withNewest(gather([], [event(2, "a")]), before))).toEqual([["a", "log", 1]]);
  expect(withNewest([], null)).toEqual([]);
});
