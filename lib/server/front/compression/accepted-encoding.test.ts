import { expect, test } from "vitest";
import { preferredCoding, refusesIdentity } from "./accepted-encoding.ts";

test.each([
  [undefined, "identity"],
  ["", "identity"],
  ["br", "br"],
  ["gzip, deflate, br", "br"],
  ["gzip", "gzip"],
  ["X-GZIP, deflate", "identity"],
  ["br;q=0, gzip", "gzip"],
  ["BR;Q=0.000, GZIP", "gzip"],
  ["br ; q = 0 , gzip", "gzip"],
  ["br;q=0.1, gzip;q=0.9", "gzip"],
  ["br;q=0, gzip;q=0", "identity"],
  ["gzip;q=0.5, identity", "identity"],
  ["gzip;q=0.5, identity;q=0.5", "gzip"],
  ["*", "br"],
  ["br;q=0, *", "gzip"],
  ["*;q=0", "identity"],
  ["identity;q=0, gzip", "gzip"],
  ["identity;q=0", "identity"],
  ["br;q=x, gzip;q=2", "identity"],
])("Accept-Encoding: %s is answered with %s", (header, coding) => {
  expect(preferredCoding(header)).toBe(coding);
});

test("a client may refuse an answer as it is", () => {
  const headers = ["identity;q=0, gzip", "*;q=0, br", "gzip", "identity, *;q=0", undefined];
  expect(headers.map(refusesIdentity)).toEqual([true, true, false, false, false]);
});
