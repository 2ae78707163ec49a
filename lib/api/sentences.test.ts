import { expect, test } from "vitest";
import { z } from "zod";
import type { FieldError } from "./problem.ts";
import { check, parse } from "./sentences.ts";

// What compares each with all others takes minutes, and the test runs out of time.
const entries = z.array(z.strictObject({ role: z.literal("user") }));
const bad = Array.from({ length: 300_000 }, () => ({ role: "nobody" }));

test("E11: of hundreds of thousands of bad fields all are counted", () => {
  expect(() => parse(entries, bad)).toThrow('/0/role must be "user" (one of 300000 errors).');
});

test("E11: each of them is told once, at its place in the request", () => {
  const errors: FieldError[] = [];
  expect(check(entries, bad, ["batch"], errors)).toBeUndefined();
  expect(errors).toHaveLength(300_000);
  expect(errors.at(-1)).toEqual({ path: "/batch/299999/role", message: 'must be "user"' });
  const twice = z.string().min(1, "must not be empty").regex(/^a/, "must begin with a");
  const told: FieldError[] = [];
  check(z.object({ id: twice }), { id: "" }, [], told);
  expect(told).toEqual([{ path: "/id", message: "must not be empty" }]);
});
