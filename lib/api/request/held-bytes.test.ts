import { expect, test } from "vitest";
import { createHeldBytes } from "./held-bytes.ts";

const MB = 1024 * 1024;

test("Limits: bodies share a limit; above it large ones are refused with Retry-After, small ones accepted", () => {
  const hold = createHeldBytes(10 * MB);
  const [one, other, small] = [hold(), hold(), hold()];
  one.add(6 * MB);
  expect(() => other.add(6 * MB)).toThrow("Too many request bodies are in transit; retry in a few seconds.");
  expect(() => small.add(MB / 4)).not.toThrow();
  other.free();
  expect(() => one.add(3 * MB)).not.toThrow();
  one.free();
  one.free();
  const later = hold();
  expect(() => later.add(10 * MB)).not.toThrow();
  later.add(-10 * MB);
  expect(() => hold().add(10 * MB)).not.toThrow();
});
