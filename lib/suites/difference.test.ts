import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { Json } from "../session/json/json.ts";
import type { Step } from "./case.ts";
import { type Did, differenceOf } from "./difference.ts";

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("says" as const), seq: fc.nat(), content: fc.constantFrom("Yes", "No", "Let me see") }),
  fc.record({
    ...{ kind: fc.constant("call" as const), seq: fc.nat(), call_id: fc.uuid(), branch: fc.constant(null) },
    tool: fc.constantFrom("get", "pay"),
    params: fc.record({ id: fc.nat(3), more: fc.constantFrom<Json>(null, { a: 1, b: 2 }) }),
    result: fc.constantFrom(
      { ok: true as const, output: 1 },
      { ok: false as const, error: { code: "no", message: "No" } },
      null,
    ),
  }),
);
const anyDid: fc.Arbitrary<Did> = fc.record({
  steps: fc.array(anyStep, { maxLength: 8 }),
  state: fc.constantFrom<Did["state"]>({}, { "": { a: 1 } }, { "": { a: { b: [1] } } }),
  taken: fc.constant(null),
});

/** The same steps in another session: ids, steps and the order of keys are others. */
function again(steps: readonly Step[]): Step[] {
  return steps.map((one, seq) =>
    one.kind === "says"
      ? { ...one, seq }
      : { ...one, seq, call_id: `n${seq}`, params: Object.fromEntries(Object.entries(one.params).reverse()) },
  );
}

describe("the difference between a recorded session and a new one", () => {
  test("is none where the same was done", () => {
    fc.assert(
      fc.property(anyDid, (did) => {
        const { first, steps, state } = differenceOf(did, { ...did, steps: again(did.steps) });
        expect([first, state]).toEqual([null, []]);
        expect(steps).toHaveLength(did.steps.length);
      }),
    );
  });

  test("has every step of both sides once, in order", () => {
    fc.assert(
      fc.property(anyDid, anyDid, (before, after) => {
        const { steps, first } = differenceOf(before, after);
        expect(steps.flatMap(({ recorded }) => recorded ?? [])).toEqual(before.steps);
        expect(steps.flatMap(({ now }) => now ?? [])).toEqual(after.steps);
        expect(first).toBe(
          steps.findIndex(({ kind }) => kind !== "same") < 0 ? null : steps.findIndex(({ kind }) => kind !== "same"),
        );
      }),
    );
  });

  it("shows another parameter, result, word and state by their paths", () => {
    const pay = {
      kind: "call" as const,
      seq: 1,
      call_id: "p",
      tool: "pay",
      params: { amount: 84 },
      result: { ok: true as const, output: { id: 1 } },
      branch: null,
    };
    const before: Did = {
      steps: [pay, { kind: "says", seq: 2, content: "I returned €84 today." }],
      state: { "": { refund: { amount: 84 } } },
      taken: null,
    };
    const after: Did = {
      steps: [
        { ...pay, params: { amount: 42, currency: "EUR" } },
        { kind: "says", seq: 2, content: "I returned €42 today." },
      ],
      state: { "": { refund: { amount: 42 } } },
      taken: { usage: [], duration: 6 },
    };
    const { steps, first, state } = differenceOf(before, after);
    expect(first).toBe(0);
    expect(steps.map(({ kind }) => kind)).toEqual(["changed", "changed"]);
    expect(steps[0]?.params).toMatchObject([
      { path: ["amount"], before: 84, after: 42 },
      { path: ["currency"], kind: "add" },
    ]);
    expect(steps[1]?.words?.filter(({ added, removed }) => added || removed).map(({ text }) => text)).toEqual([
      "84",
      "42",
    ]);
    expect(state).toMatchObject([{ path: ["refund", "amount"], before: 84, after: 42 }]);
  });

  it("names a call that is new, and one that is gone", () => {
    const call = (tool: string): Step => ({
      kind: "call",
      seq: 1,
      call_id: tool,
      tool,
      params: {},
      result: null,
      branch: null,
    });
    const did = (...tools: string[]): Did => ({ steps: tools.map(call), state: {}, taken: null });
    expect(
      differenceOf(did("a", "b", "c"), did("a", "x", "c"))
        .steps.map(({ kind }) => kind)
        .sort(),
    ).toEqual(["added", "removed", "same", "same"]);
  });
});
