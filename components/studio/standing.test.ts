import { expect, it } from "vitest";
import { isUnanswered, isUntouchedFork } from "./standing.ts";
import { recorded } from "./testing/recorded.ts";

type Steps = Parameters<typeof recorded>;

const ask: Steps[number] = ["message.created", { message_id: "q", role: "user", content: "Well?" }, { run_id: null }];
const run: Steps = [
  ["run.started", {}],
  ["run.finished", {}],
];
const told: [what: string, isUnanswered: boolean, steps: Steps][] = [
  ["nothing said", false, run],
  ["a question after all runs", true, [...run, ask]],
  ["a question that a run took up", false, [ask, ...run]],
  ["a question within its run", false, [...run, [ask[0], ask[1]]]],
  ["a question that was answered", false, [...run, ask, ["message.created", { role: "assistant", content: "Yes" }]]],
];
it.each(told)("C3: %s is unanswered: %s", (_what, expected, steps) => {
  expect(isUnanswered(recorded(...steps))).toBe(expected);
});

it("E9: a fork is untouched until a run of its own begins", () => {
  const { summary } = recorded(["conversation.created", { forked_from: { conversation_id: "s", seq: 3 } }]);
  expect(isUntouchedFork("f", summary)).toBe(true);
  expect(isUntouchedFork("f", { ...summary, newest_run: "f:run:draft" })).toBe(true);
  expect(isUntouchedFork("f", { ...summary, newest_run: "0192" })).toBe(false);
  expect(isUntouchedFork("f", { ...summary, forked_from: null })).toBe(false);
});
