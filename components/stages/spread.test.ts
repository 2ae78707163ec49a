import fc from "fast-check";
import { expect, it } from "vitest";
import { spread } from "./spread.ts";

const wish = fc.record({
  at: fc.integer({ min: -500, max: 500 }),
  weight: fc.constantFrom(1, 4),
  width: fc.integer({ min: 0, max: 200 }),
});

it("places items at their preferred positions if there is room", () => {
  const wishes = [-100, 0, 130].map((at) => ({ at, weight: 1, width: 40 }));
  expect(spread(wishes, 20)).toEqual([-100, 0, 130]);
});

it("moves items that are too close, the heavier ones less", () => {
  expect(
    spread(
      [
        { at: 0, weight: 3, width: 0 },
        { at: 0, weight: 1, width: 0 },
      ],
      40,
    ),
  ).toEqual([-10, 30]);
});

it("keeps their order and the gap, whatever they prefer", () => {
  fc.assert(
    fc.property(fc.array(wish, { maxLength: 8 }), (wishes) => {
      const middles = spread(wishes, 10);
      expect(middles).toHaveLength(wishes.length);
      for (const [index, one] of wishes.entries()) {
        const before = wishes[index - 1];
        if (!before) continue;
        const room = (middles[index] ?? 0) - (middles[index - 1] ?? 0);
        expect(room).toBeGreaterThanOrEqual((before.width + one.width) / 2 + 10 - 1e-6);
      }
    }),
  );
});
