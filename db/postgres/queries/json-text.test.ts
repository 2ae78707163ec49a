import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { type Database, openDatabase } from "../database.ts";
import { jsonIn } from "./json-text.ts";

let database: Database;
beforeAll(() => {
  database = openDatabase(inject("postgres"), () => undefined, 1);
});
afterAll(() => database.close());

it.each([
  ["plain 🙂", "plain 🙂"],
  ["nul\0here", "nul\ufffdhere"],
  ["half \ud83d here", "half \ufffd here"],
  ["other \udc4d half\0", "other \ufffd half\ufffd"],
])("a field of JSON is read, whatever characters it has: %j", async (text, read) => {
  const [row] = await database.rows<{ text: string; other: string }>(
    `SELECT ${jsonIn("stored")} ->> 'text' AS text, ${jsonIn("stored")} ->> 'other' AS other FROM (SELECT $1::text AS stored) AS rows`,
    [JSON.stringify({ text, other: "o" })],
  );
  expect(row).toEqual({ text: read, other: "o" });
});
