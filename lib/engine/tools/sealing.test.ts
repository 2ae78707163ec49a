import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { isSealed } from "./sealed-text.ts";
import { createSealing } from "./sealing.ts";

const sealing = createSealing(randomBytes(32));

it("what is sealed opens at its place as it was, whatever it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string(), (text, place) => {
      const sealed = sealing.seal(text, place);
      expect(isSealed(sealed)).toBe(true);
      expect(sealing.open(sealed, place)).toBe(text);
    }),
  );
});

it("what is sealed opens nowhere else, with no other key, and not when it was changed", () => {
  const sealed = sealing.seal("secret", "here");
  expect(sealed).not.toContain("secret");
  expect(sealing.open(sealed, "there")).toBeNull();
  expect(createSealing(randomBytes(32)).open(sealed, "here")).toBeNull();
  const changed = sealed.slice(0, -2) + (sealed.endsWith("AA") ? "BB" : "AA");
  for (const broken of [changed, "sealed:", "sealed:AAAA", "secret", sealed.slice(7)]) {
    expect(sealing.open(broken, "here")).toBeNull();
  }
});
