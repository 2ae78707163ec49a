import { expect, test } from "vitest";
import { z } from "zod";
import { PAYLOADS } from "../session/events/catalogue.ts";
import { isJsonObject } from "../session/json/json.ts";
import { listOf, plainListOf, recordOf } from "../session/json/list.ts";
import type { FieldError } from "./problem.ts";
import { check, parse } from "./sentences.ts";

const entries = listOf(z.strictObject({ role: z.literal("user"), name: z.string().min(1).default("a") }));
const good = Array.from({ length: 100 }, () => ({ role: "user" }));

test("E11: of a million errors twenty are reported, and no more collected", () => {
  let looked = 0;
  const watched = listOf(z.custom(() => ++looked < 0));
  expect(() => parse(watched, Array(1_000_000).fill(1))).toThrow(" (one of more than 20 errors).");
  expect(looked).toBeLessThan(100);
  expect(() => parse(recordOf(z.string(), watched), { a: [], b: Array(1_000_000).fill(1) })).toThrow(
    "/b/0 is not valid",
  );
  const unknown = Object.fromEntries(Array.from({ length: 500_000 }, (_, n) => [`f${n}`, 1]));
  expect(() => parse(z.strictObject({}), unknown)).toThrow("/f0 is not a known field (one of more than 20 errors).");
});

test("E11: each is reported once, with its place in the request, and valid entries are kept", () => {
  const bad = good.with(70, { role: "nobody" }).with(99, { role: "no" });
  const errors: FieldError[] = [];
  expect(check(entries, bad, ["batch"], errors)).toBeUndefined();
  expect(errors.map(({ path }) => path)).toEqual(["/batch/70/role", "/batch/99/role"]);
  expect(check(entries, good, [], [])).toEqual(good.map((entry) => ({ ...entry, name: "a" })));
  const many = Object.fromEntries(good.map((entry, n) => [`k${n}`, entry]));
  expect(check(recordOf(z.string(), z.strictObject({ role: z.string() })), many, [], [])).toEqual(many);
  expect(() => parse(entries.min(200), good)).toThrow("must have at least 200 entries");
  expect(() => parse(entries.max(1), [...good, { role: 1 }])).toThrow();
  const twice = z.string().min(1, "must not be empty").regex(/^a/, "must begin with a");
  const told: FieldError[] = [];
  check(z.object({ id: twice }), { id: "" }, [], told);
  expect(told).toEqual([{ path: "/id", message: "must not be empty" }]);
});

test("E11: a value that no form of a union allows is told what is allowed", () => {
  const part = z.discriminatedUnion("role", [
    z.object({ role: z.literal("user"), content: z.union([z.string(), z.array(z.string())]) }),
    z.object({ role: z.literal("tool") }),
  ]);
  const parts = z.array(part);
  expect(() => parse(parts, [{ role: "evil" }])).toThrow('/0/role must be one of "user", "tool".');
  expect(() => parse(parts, [{ role: "user", content: 5 }])).toThrow("/0/content must be a string or an array.");
  expect(() => parse(parts, [{ role: "user" }])).toThrow("/0/content is required.");
  expect(() => parse(z.union([z.literal("a"), z.int()]), "b")).toThrow('The input must be "a" or a number.');
});

test("E11: entries that are valid without parsing are not given to Zod, and others are reported", () => {
  let given = 0;
  const objects = plainListOf(
    z.custom(() => {
      given += 1;
      return given !== 71;
    }, "must be an object"),
    isJsonObject,
  ).describe("Calls.");
  expect(parse(objects, good)).toEqual(good);
  expect(given).toBe(0);
  expect(() => parse(objects, good.with(70, { role: "a" }).with(71, "a" as never))).toThrow("/70 must be an object.");
  expect(() => parse(objects.max(50), good)).toThrow();
});

test.each([
  ["prompt.rendered", { prompt: "", parts: Array(1_000).fill({}) }],
  ["plan.validated", { iteration: 1, outputs: Array(1_000).fill({}) }],
] as const)("E11: of a payload of %s a few of its wrong entries are looked for", (type, payload) => {
  expect(PAYLOADS[type].safeParse(payload).error?.issues.length).toBeLessThan(200);
});
