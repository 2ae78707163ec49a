import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { columnOf } from "./arrays.ts";
import { type Database, openDatabase } from "./database.ts";

let database: Database;
beforeAll(() => {
  database = openDatabase(inject("postgres"), () => undefined, 1);
});
afterAll(() => database.close());

it("Postgres reads texts as they were, except U+0000", async () => {
  const texts = ["", 'a "quoted", {braced} \\ text', "NULL", null, "слово 日本語 🙂", "line\nbreak", "with\0nul"];
  const rows = texts.map((text) => [1, text]);
  const [found] = await database.rows<{ texts: unknown }>("SELECT $1::text[] AS texts", [columnOf(rows, 1, "text")]);
  expect(found?.texts).toEqual([...texts.slice(0, -1), "with\uFFFDnul"]);
});

it("Postgres reads integers as they were", async () => {
  const whole = [
    0,
    1,
    -1,
    4_294_967_295,
    4_294_967_296,
    -4_294_967_296,
    Number.MAX_SAFE_INTEGER,
    Number.MIN_SAFE_INTEGER,
  ];
  const values = [...whole, 2n ** 62n, -(2n ** 63n), null];
  const rows = values.map((value) => [value]);
  const [found] = await database.rows<{ numbers: unknown }>("SELECT $1::bigint[]::text[] AS numbers", [
    columnOf(rows, 0, "bigint"),
  ]);
  expect(found?.numbers).toEqual(values.map((value) => (value === null ? null : String(value))));
});

it("a column that a row does not have is null", async () => {
  const [found] = await database.rows<{ texts: unknown }>("SELECT $1::text[] AS texts", [
    columnOf([["a", "b"], ["c"]], 1, "text"),
  ]);
  expect(found?.texts).toEqual(["b", null]);
});
