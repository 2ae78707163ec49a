import fc from "fast-check";
import { expect, test } from "vitest";
import { addressOf, changed, type Place, parsePlace, TABS } from "./place.ts";

const place: fc.Arbitrary<Place> = fc.record({
  a: fc.option(fc.string({ minLength: 1 })),
  b: fc.option(fc.string({ minLength: 1 })),
  tab: fc.constantFrom(...TABS),
  steps: fc.option(fc.record({ a: fc.nat(), b: fc.nat() })),
  only: fc.boolean(),
  plan: fc.option(fc.nat({ max: 999_999 })),
  call: fc.option(fc.string({ minLength: 1 })),
  path: fc.option(fc.string({ minLength: 1 })),
});

const read = (address: string) => parsePlace(new URL(address, "http://localhost").searchParams);

test("C10: the selection survives a round trip through the address", () => {
  fc.assert(
    fc.property(place, (one) => {
      expect(read(addressOf(one))).toEqual(one);
    }),
  );
});

test("C10: invalid parameters mean an empty comparison", () => {
  expect(read("/compare?a=&tab=nowhere&steps=1-x&only=yes")).toEqual(read("/compare"));
});

test("C10: another conversation resets steps and plans", () => {
  const at = read("/compare?a=1&b=2&tab=state&steps=3-4");
  expect(changed(at, { b: "3" })).toMatchObject({ a: "1", b: "3", tab: "state", steps: null });
  expect(changed(at, { tab: "calls" }).steps).toEqual({ a: 3, b: 4 });
  const drawn = read("/compare?a=1&b=2&tab=plan&plan=1&call=get&path=x");
  expect(changed(drawn, { a: "3" })).toMatchObject({ plan: null, call: null, path: null });
});
