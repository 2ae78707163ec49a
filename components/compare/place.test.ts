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

test("C10: what is compared, and what of it is looked at, is in the address and comes back from it", () => {
  fc.assert(
    fc.property(place, (one) => {
      expect(read(addressOf(one))).toEqual(one);
    }),
  );
});

test("C10: an address that means nothing is the empty page's", () => {
  expect(read("/compare?a=&tab=nowhere&steps=1-x&only=yes")).toEqual(read("/compare"));
});

test("C10: another session has other steps and plans", () => {
  const at = read("/compare?a=1&b=2&tab=state&steps=3-4");
  expect(changed(at, { b: "3" })).toMatchObject({ a: "1", b: "3", tab: "state", steps: null });
  expect(changed(at, { tab: "calls" }).steps).toEqual({ a: 3, b: 4 });
  const drawn = read("/compare?a=1&b=2&tab=plan&plan=1&call=get&path=x");
  expect(changed(drawn, { a: "3" })).toMatchObject({ plan: null, call: null, path: null });
});
