import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Alignment, align, type Span } from "./align.ts";

const sequence = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 40 });
const cuts = fc.array(fc.nat(40), { maxLength: 4 });

/** Pairs of indexes from spans. */
function placesOf({ spans }: Alignment): { a: number | null; b: number | null }[] {
  return spans.flatMap((span: Span) =>
    Array.from({ length: span.count }, (_, index) => ({
      a: span.kind === "b" ? null : span.a + index,
      b: span.kind === "a" ? null : span.b + index,
    })),
  );
}

function expectWhole(alignment: Alignment, a: readonly string[], b: readonly string[]): void {
  const places = placesOf(alignment);
  expect(places.flatMap((place) => place.a ?? [])).toEqual(a.map((_, index) => index));
  expect(places.flatMap((place) => place.b ?? [])).toEqual(b.map((_, index) => index));
  for (const place of places) if (place.a !== null && place.b !== null) expect(a[place.a]).toBe(b[place.b]);
}

describe("C10: two aligned sequences", () => {
  test("have every entry once, in order, and matches are equal", () => {
    fc.assert(fc.property(sequence, sequence, (a, b) => expectWhole(align(a, b), a, b)));
  });

  test("independent of the order of arguments", () => {
    fc.assert(
      fc.property(sequence, sequence, (a, b) => {
        const mirrored = placesOf(align(b, a)).map((place) => ({ a: place.b, b: place.a }));
        const both = (places: typeof mirrored) => places.filter((place) => place.a !== null && place.b !== null);
        expect(both(placesOf(align(a, b)))).toEqual(both(mirrored));
      }),
    );
  });

  test("a sequence and itself have no differences", () => {
    fc.assert(
      fc.property(sequence, (a) => {
        expect(align(a, a).spans.every(({ kind }) => kind === "same")).toBe(true);
      }),
    );
  });

  test("an insertion or removal leaves everything else aligned", () => {
    fc.assert(
      fc.property(sequence, sequence, fc.array(fc.constant("new"), { minLength: 1, maxLength: 5 }), (a, b, more) => {
        const { spans } = align([...a, ...b], [...a, ...more, ...b]);
        expect(spans.filter(({ kind }) => kind !== "same")).toEqual([
          { kind: "b", a: a.length, b: a.length, count: more.length },
        ]);
      }),
    );
  });

  test("a known common start is not compared", () => {
    const { spans } = align(["x", "b"], ["y", "b", "c"], { shared: 1 });
    expect(spans).toEqual([
      { kind: "same", a: 0, b: 0, count: 2 },
      { kind: "b", a: 2, b: 2, count: 1 },
    ]);
  });
});

describe("C10: sequences with too many differences", () => {
  const many = (word: string, length: number) => Array.from({ length }, (_, index) => `${word}${index}`);

  test("are aligned by parts, unknown parts one side after the other, and marked incomplete", () => {
    const a = [...many("same", 10), ...many("a", 3_000), "turn", ...many("then", 10)];
    const b = [...many("same", 10), ...many("b", 3_000), "turn", ...many("then", 5), "other", ...many("then", 9)];
    const alignment = align(a, b, { cuts: { a: [3_010], b: [3_010] } });
    expect(alignment.complete).toBe(false);
    expectWhole(alignment, a, b);
    const later = alignment.spans.filter(({ kind, a: at }) => kind === "same" && at >= 3_010);
    expect(later[0]).toMatchObject({ a: 3_010, b: 3_010, count: 6 });
  });

  test("are complete with any cuts", () => {
    fc.assert(
      fc.property(cuts, cuts, sequence, (cutsA, cutsB, end) => {
        const a = [...many("a", 1_100), ...end];
        const b = [...end, ...many("b", 1_100)];
        expectWhole(align(a, b, { cuts: { a: cutsA, b: cutsB } }), a, b);
      }),
      { numRuns: 10 },
    );
  });

  test("100,000 entries per side with few differences are aligned", () => {
    const a = many("step", 100_000);
    const b = a.flatMap((entry, index) => (index % 1_000 === 500 ? ["more", entry] : index % 1_000 === 0 ? [] : entry));
    const alignment = align(a, b);
    expect(alignment.complete).toBe(true);
    expectWhole(alignment, a, b);
    expect(alignment.spans.filter(({ kind }) => kind !== "same")).toHaveLength(200);
  });
});
