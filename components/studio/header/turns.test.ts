import { expect, test } from "vitest";
import type { TimelineRow } from "@/lib/session/timeline/timeline.ts";
import { turnStarts } from "./turns.ts";

function rows(...steps: [type: string, who: string][]): TimelineRow[] {
  return steps.map(([type, who], index) => ({
    seq: index + 1,
    time: null,
    type,
    actor: type === "message.created" ? who : null,
    agent: null,
    run: type === "message.created" ? null : who,
    call: null,
    cause: null,
    error: false,
  }));
}

test("C2: runs of delegates are not turns, also when they overlap", () => {
  expect(
    turnStarts(
      rows(
        ["run.started", "one"],
        ["run.started", "child"],
        ["run.finished", "child"],
        ["run.finished", "one"],
        ["run.started", "two"],
      ),
    ),
  ).toEqual([1, 5]);
});

test("C2: a run that starts after a message is a turn, although an earlier one is waiting", () => {
  expect(turnStarts(rows(["run.started", "one"], ["message.created", "user:anna"], ["run.started", "two"]))).toEqual([
    1, 3,
  ]);
});
