import { expect, test } from "vitest";
import type { CaseResult } from "@/lib/api/shapes.ts";
import { expectedOf } from "./expected-of.ts";

type Result = CaseResult["items"][number]["result"];
type Pair = Result["difference"]["steps"][number];
type Step = NonNullable<Pair["now"]>;

const call = (tool: string): Step => ({
  ...{ kind: "call", seq: 1, call_id: tool, tool, params: { id: 1 }, result: null, branch: null },
});
const says = (content: string): Step => ({ kind: "says", seq: 2, content });

function resultOf(pairs: [recorded: Step | null, now: Step | null][], checks: Result["checks"] = []): Result {
  const steps = pairs.map(
    ([recorded, now]): Pair => ({
      ...{ kind: "changed", recorded, now, params: [], result: [], words: null },
    }),
  );
  return {
    ...{ outcome: "failed", reason: null, checks, answered: [], first: null, differing: 1, conversation_id: "c" },
    ...{ taken: { usage: [], duration: null }, judged: [], answers: [] },
    difference: { steps, first: 0, state: [], taken: { recorded: null, now: null } },
  };
}

test("what a try did becomes what is expected, instead of the recorded calls", () => {
  const old = { expectation: { kind: "same_calls" as const }, holds: false, found: null };
  const other = { expectation: { kind: "tokens_at_most" as const, tokens: 10 }, holds: true, found: 5 };
  const result = resultOf(
    [
      [null, call("charge.get")],
      [call("note.add"), null],
    ],
    [old, other],
  );
  expect(expectedOf(result)).toEqual([
    { kind: "called", tool: "charge.get", params: { id: 1 } },
    { kind: "not_called", tool: "note.add" },
    { kind: "tokens_at_most", tokens: 10 },
  ]);
});

test("a try without calls has to begin its last answer alike", () => {
  expect(expectedOf(resultOf([[says("No"), says("It costs 5.\nAnything else?")]]))).toEqual([
    { kind: "says", text: "It costs 5." },
  ]);
});
