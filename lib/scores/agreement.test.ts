import { describe, expect, it } from "vitest";
import { agreementsOf, type ReviewedScore } from "./agreement.ts";
import type { ScoreValue } from "./score.ts";

/** Conversations that a person and a judge have scored. */
function both(pairs: readonly (readonly [ScoreValue, ScoreValue, number])[], name = "good"): ReviewedScore[] {
  return pairs
    .flatMap(([person, rater, count]) => Array.from({ length: count }, () => [person, rater] as const))
    .flatMap(([person, rater], index): ReviewedScore[] => [
      { conversation_id: `c${index}`, title: null, name, source: "person", by: "operator:anna", value: person },
      { conversation_id: `c${index}`, title: null, name, source: "evaluator", by: "judge:careful", value: rater },
    ]);
}

describe("agreement", () => {
  it("is Cohen's kappa beside the share: of the textbook's 20, 5, 10, 15 it is 0.4 and 70 %", () => {
    const [found] = agreementsOf(
      both([
        [true, true, 20],
        [true, false, 5],
        [false, true, 10],
        [false, false, 15],
      ]),
    );
    expect(found).toMatchObject({ name: "good", rater: "judge:careful", kind: "boolean", pairs: 50 });
    expect(found?.agreed.share).toBeCloseTo(0.7, 9);
    expect(found?.kappa).toBeCloseTo(0.4, 9);
    expect(found?.disagreeing).toHaveLength(15);
  });

  it("is none where both always say the same one thing, and below 0 where they say opposites", () => {
    expect(agreementsOf(both([["a", "a", 9]]))[0]).toMatchObject({
      kind: "category",
      kappa: null,
      agreed: { share: 1 },
    });
    expect(
      agreementsOf(
        both([
          ["a", "b", 5],
          ["b", "a", 5],
        ]),
      )[0],
    ).toMatchObject({ kappa: -1, agreed: { share: 0 } });
  });

  it("of numbers has quadratic weights, agrees within a tenth of the range, and tells the farthest first", () => {
    const [found] = agreementsOf(
      both([
        [1, 1, 5],
        [5, 4.7, 5],
        [5, 3, 1],
        [5, 1, 1],
      ]),
    );
    expect(found).toMatchObject({ kind: "number", pairs: 12 });
    expect(found?.agreed.share).toBeCloseTo(10 / 12, 9);
    expect(found?.kappa).toBeGreaterThan(0.6);
    expect(found?.kappa).toBeLessThan(0.8);
    expect(found?.disagreeing.map(({ rater }) => rater)).toEqual([1, 3]);
    expect(agreementsOf(both([[2, 2, 3]]))[0]).toMatchObject({ kappa: null, agreed: { share: 1 } });
  });

  it("takes the newest of each side, which come first, and no pair of different kinds", () => {
    const score = (value: ScoreValue, more: Partial<ReviewedScore> = {}): ReviewedScore => ({
      ...{ conversation_id: "c", title: null, name: "good", source: "person", by: "operator:anna", value },
      ...more,
    });
    const rater = { source: "program", by: "key:ci" } as const;
    expect(agreementsOf([score(true), score(false), score(true, rater), score(false, rater)])).toMatchObject([
      { rater: "key:ci", pairs: 1, agreed: { share: 1 } },
    ]);
    expect(agreementsOf([score(true), score(3, rater)])).toEqual([]);
    expect(agreementsOf([score(true)])).toEqual([]);
  });
});
