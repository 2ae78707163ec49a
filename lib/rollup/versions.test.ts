import { describe, expect, test } from "vitest";
import { estimateChange, estimateMean, estimateQuantile, estimateShare } from "./estimates.ts";
import { encode, note, type Sketch } from "./sketch.ts";
import { chooseVersions, compareVersions, type VersionPart } from "./versions.ts";

const PRICES = { m: { input: 1, output: 2, currency: "EUR" } };

const sketchOf = (...ms: number[]): Sketch => {
  const sketch: Sketch = new Map();
  for (const one of ms) note(sketch, one);
  return sketch;
};

/** A conversation of a turn with one request to a model. */
function parts(
  conversation: number,
  { failed = false, took = 1_000, tokens = 1_000, model = "m" } = {},
): VersionPart[] {
  const none = {
    conversation,
    channel: "web",
    failed: 0,
    escalated: 0,
    count: 1,
    unreported: 0,
    score: "",
    score_sum: 0,
  };
  const no = { input_tokens: 0, output_tokens: 0, durations: new Uint8Array() };
  return [
    { ...none, ...no, kind: "turn", model, failed: failed ? 1 : 0, durations: encode(sketchOf(took)) },
    { ...none, ...no, kind: "model", model, input_tokens: tokens },
  ];
}

const version = (size: number, of: (index: number) => Parameters<typeof parts>[1], from = 0) =>
  Array.from({ length: size }, (_, index) => parts(from + index, of(index))).flat();

describe("estimates", () => {
  test("a mean of clusters is as uncertain as the clusters, not as their units", () => {
    const alone = Array.from({ length: 100 }, (_, index) => ({ sum: index % 2, units: 1 }));
    const together = Array.from({ length: 10 }, (_, index) => ({ sum: index % 2 ? 10 : 0, units: 10 }));
    const [single, clustered] = [estimateMean(alone), estimateMean(together)];
    expect([single?.value, clustered?.value]).toEqual([0.5, 0.5]);
    expect((single?.to ?? 0) - 0.5).toBeCloseTo(0.0997, 3);
    // Ten clusters: Student's t of nine degrees of freedom, 2.262.
    expect((clustered?.to ?? 0) - 0.5).toBeCloseTo((2.262 * 0.527) / Math.sqrt(10), 2);
    expect(estimateMean([{ sum: 1, units: 1 }])).toBeNull();
  });

  test("the interval of a quantile holds the ranks that chance moves it by", () => {
    const clusters = Array.from({ length: 1_000 }, (_, index) => sketchOf(index + 1));
    const median = estimateQuantile(0.5, clusters);
    // Ranks 500 ± 31, within the 1 % of a sketch.
    expect(median?.value).toBeGreaterThan(490);
    expect(median?.value).toBeLessThan(510);
    expect(median?.from).toBeGreaterThan(460);
    expect(median?.from).toBeLessThan(480);
    expect(median?.to).toBeGreaterThan(520);
    expect(median?.to).toBeLessThan(541);
  });

  test("a change is sure beyond eight comparisons' chance only", () => {
    const share = (hits: number) => estimateShare(hits, 1_000) ?? { value: 0, from: 0, to: 0 };
    expect(estimateChange(share(20), share(30)).sure).toBe(false);
    // Its 95 % interval is above zero, but that happens by chance in one of twenty comparisons.
    const close = estimateChange(share(20), share(36));
    expect(close.from).toBeGreaterThan(0);
    expect(close.sure).toBe(false);
    expect(estimateChange(share(20), share(60)).sure).toBe(true);
    expect(estimateChange(share(60), share(20)).sure).toBe(true);
  });
});

describe("two versions", () => {
  test("are compared by conversations, in what they fail, take and cost", () => {
    const { before, after, measures } = compareVersions(
      version(400, (index) => ({
        failed: index % 100 === 0,
        took: 900 + (index % 7) * 40,
        tokens: 900 + (index % 5) * 50,
      })),
      version(
        200,
        (index) => ({ failed: index % 10 === 0, took: 900 + (index % 7) * 40, tokens: 2_000 + (index % 5) * 50 }),
        1_000,
      ),
      PRICES,
    );
    expect([before, after]).toEqual([
      { conversations: 400, turns: 400 },
      { conversations: 200, turns: 200 },
    ]);
    const of = (name: string) => measures.find((measure) => measure.name === name);
    expect(of("failed")).toMatchObject({ hits: { before: 4, after: 20 }, change: { sure: true } });
    expect(of("failed")?.change?.value).toBeCloseTo(0.09, 6);
    expect(of("p95")?.change).toMatchObject({ value: 0, sure: false });
    expect(of("cost")).toMatchObject({ currency: "EUR", change: { sure: true } });
    expect(of("cost")?.change?.value).toBeCloseTo(0.0011, 5);
    expect(of("escalated")?.change?.value).toBe(0);
  });

  test("have no cost to compare where one is not known", () => {
    const { measures } = compareVersions(
      version(3, () => ({})),
      version(3, () => ({ model: "x" }), 10),
      PRICES,
    );
    expect(measures.some(({ name }) => name === "cost")).toBe(false);
  });

  test("differ most in what the version before hardly ever had, beside a usual conversation", () => {
    const { differing } = compareVersions(
      version(300, (index) => ({ took: 900 + (index % 9) * 20, tokens: 1_000 + (index % 9) })),
      [
        ...version(50, () => ({ took: 950, tokens: 1_004 }), 1_000),
        ...parts(2_000, { failed: true, took: 60_000, tokens: 1_000 }),
        ...parts(2_001, { failed: true }),
      ],
      PRICES,
    );
    expect(differing.map(({ conversation, unusual }) => [conversation, unusual])).toEqual([
      [2_000, ["failed", "slow"]],
      [2_001, ["failed"]],
    ]);
    expect(differing[0]?.beside).toBeLessThan(300);
  });

  test("are by default the newest and the one before it", () => {
    const known = ["3", "2", "1"].map((name, index) => ({
      ...{ version: name, conversations: 1, turns: 1, first: -index, last: 0 },
    }));
    expect(chooseVersions(known, {})).toEqual({ before: "2", after: "3" });
    expect(chooseVersions(known, { after: "2" })).toEqual({ before: "1", after: "2" });
    expect(chooseVersions(known, { before: "3" })).toEqual({ before: "3", after: "2" });
    expect(chooseVersions(known, { after: "1" })).toEqual({ before: "3", after: "1" });
    expect(chooseVersions(known.slice(0, 1), {})).toBeNull();
  });
});
