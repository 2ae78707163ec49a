import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { Json, JsonObject } from "../session/json/json.ts";
import type { CallStep } from "./case.ts";
import { type AskedCall, RecordedAnswers, type UnrecordedRule } from "./recorded-answers.ts";

function call(tool: string, params: JsonObject, output: Json, seq = 1): CallStep {
  return { kind: "call", seq, call_id: `c${seq}`, tool, params, result: { ok: true, output }, branch: null };
}

function ask(tool: string, params: JsonObject, more: Partial<AskedCall> = {}): AskedCall {
  return { tool, params, output: undefined, ...more };
}

/** Few values, so that calls repeat. */
const anyCalls = fc.array(
  fc.record({
    tool: fc.constantFrom("a", "b"),
    x: fc.constantFrom<Json>(1, "1", [1], null),
    y: fc.constantFrom<Json>(1, 2),
  }),
  { maxLength: 12 },
);

describe("recorded answers", () => {
  test("each recorded call answers one call of the same tool and parameters, in order, whatever the order of keys", () => {
    fc.assert(
      fc.property(anyCalls, (made) => {
        const recorded = made.map(({ tool, x, y }, seq) => call(tool, { x, y }, seq, seq));
        const answers = new RecordedAnswers(recorded, "stop");
        for (const [seq, { tool, x, y }] of made.entries())
          expect(answers.answer(ask(tool, { y, x }))).toMatchObject({ from: "recorded", call: { seq }, differs: 0 });
        for (const { tool, x, y } of made) expect(answers.answer(ask(tool, { x, y })).from).toBe("stop");
      }),
    );
  });

  test("in any order of the calls, each recorded call is used once", () => {
    fc.assert(
      fc.property(anyCalls, fc.infiniteStream(fc.nat()), (made, draws) => {
        const recorded = made.map(({ tool, x, y }, seq) => call(tool, { x, y }, seq, seq));
        const answers = new RecordedAnswers(recorded, "stop");
        const asked = made
          .map((one) => ({ one, at: draws.next().value ?? 0 }))
          .sort((a, b) => a.at - b.at)
          .map(({ one: { tool, x, y } }) => answers.answer(ask(tool, { x, y })));
        const used = asked.map((answer) => ("call" in answer ? answer.call.seq : -1));
        expect(used.sort((a, b) => a - b)).toEqual(made.map((_, seq) => seq));
      }),
    );
  });

  it("answers with a recorded failure, too", () => {
    const result = { ok: false as const, error: { code: "gone", message: "It is gone" } };
    const answers = new RecordedAnswers([{ ...call("a", {}, null), result }], "stop");
    expect(answers.answer(ask("a", {}))).toMatchObject({ from: "recorded", result });
  });

  it("does not answer with a call that never ended", () => {
    const answers = new RecordedAnswers([{ ...call("a", {}, null), result: null }], "nearest");
    expect(answers.answer(ask("a", {})).from).toBe("stop");
  });
});

describe("a call that was not recorded", () => {
  const recorded = [call("get", { id: 1, full: true }, "one", 1), call("get", { id: 2, full: false }, "two", 2)];
  const by = (rule: UnrecordedRule) => new RecordedAnswers(recorded, rule);

  it("nearest: the recorded call with the fewest other values", () => {
    expect(by("nearest").answer(ask("get", { id: 3, full: false }))).toMatchObject({
      ...{ from: "nearest", differs: 1, call: { seq: 2 } },
    });
    expect(by("nearest").answer(ask("other", {})).from).toBe("stop");
  });

  it("nearest: of several as near, one that has answered none", () => {
    const answers = by("nearest");
    const asked = [1, 2].map(() => answers.answer(ask("get", { id: 9, full: null })));
    expect(asked.map((answer) => ("call" in answer ? answer.call.seq : 0))).toEqual([1, 2]);
  });

  it("stub: a value that fits the schema of the tool's result, if it has one", () => {
    const output = { type: "object", required: ["id"], properties: { id: { type: "integer", minimum: 5 } } };
    expect(by("stub").answer(ask("get", { id: 3 }, { output }))).toEqual({
      ...{ from: "stub", result: { ok: true, output: { id: 5 } } },
    });
    expect(by("stub").answer(ask("get", { id: 3 })).from).toBe("stop");
  });
});
