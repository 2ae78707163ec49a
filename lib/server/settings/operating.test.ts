import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

test("Run: the table of settings has each variable of .env.example, in order and with its default", () => {
  const told = [...read(".env.example").matchAll(/^# ([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
  const table = [...read("docs/operating.md").matchAll(/^\| `([A-Z0-9_]+)` +\| (?:`(.*?)`)? *\| \S.* \|$/gm)];
  expect(table.map(([, name, value = ""]) => [name, value])).toEqual(told);
});
