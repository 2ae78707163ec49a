import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rowsOf } from "../../testing/timeline-rows.ts";
import { modelMaker } from "../model.ts";
import { factsOf, rangeOf } from "./range.ts";

const TYPES = ["run.started", "call.started", "call.failed", "message.created", "state.written", "model.responded"];

describe("C5: a selected range", () => {
  test("counts events by kind, calls and errors of its steps only", () => {
    const model = modelMaker()(rowsOf(["run.started", "call.started", "call.failed", "call.started", "log"]));
    expect(factsOf(model, { from: 2, to: 4 })).toEqual({
      steps: 3,
      kinds: [
        { kind: "tool", count: 2 },
        { kind: "error", count: 1 },
      ],
      calls: 2,
      errors: 1,
      isAbout: false,
      ms: null,
      busyMs: null,
    });
  });

  test("has its duration with and without collapsed pauses", () => {
    const types = ["run.started", "run.finished", "message.created", "run.started", "run.finished"];
    const model = modelMaker()(rowsOf(types, [0, 1_000, 3_600_000, 3_601_000, 3_602_000]));
    expect(model.time?.folds).toHaveLength(1);
    expect(factsOf(model, { from: 1, to: 5 })).toMatchObject({ ms: 3_602_000, busyMs: 3_000 });
    expect(factsOf(model, { from: 3, to: 5 })).toMatchObject({ ms: 2_000, busyMs: 2_000 });
  });

  test("is between two steps in either order, within the session; otherwise null", () => {
    expect(rangeOf(7, 3, 10)).toEqual({ from: 3, to: 7 });
    expect(rangeOf(0, 20, 10)).toEqual({ from: 1, to: 10 });
    expect(rangeOf(12, 20, 10)).toBeNull();
    expect(rangeOf(1, 1, 0)).toBeNull();
  });

  test("two adjacent ranges add up to the whole", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...TYPES), { minLength: 2, maxLength: 40 }), fc.nat(), (types, cut) => {
        const model = modelMaker()(
          rowsOf(
            types,
            types.map((_, index) => index * 100),
          ),
        );
        const middle = 1 + (cut % (types.length - 1));
        const whole = factsOf(model, { from: 1, to: types.length });
        const left = factsOf(model, { from: 1, to: middle });
        const right = factsOf(model, { from: middle + 1, to: types.length });
        expect(left.calls + right.calls).toBe(whole.calls);
        expect(left.errors + right.errors).toBe(whole.errors);
        for (const { kind, count } of whole.kinds) {
          const own = [left, right].flatMap(({ kinds }) => kinds).filter((one) => one.kind === kind);
          expect(own.reduce((sum, one) => sum + one.count, 0)).toBe(count);
        }
      }),
    );
  });
});
