import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../process.mjs";
import { isAllowed, licencesPage, productionDependencies } from "./licences.ts";

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

test("Licences: each production dependency has an allowed licence, and is listed", () => {
  const dependencies = productionDependencies(JSON.parse(read("package-lock.json")));
  expect(dependencies.length).toBeGreaterThan(100);
  expect(dependencies.filter(({ licence }) => !isAllowed(licence))).toEqual([]);
  expect(read("docs/licences.md"), "npm run licences writes the page anew").toBe(licencesPage(dependencies));
});

test.each([
  ["MIT", true],
  ["(MIT OR GPL-3.0-only)", true],
  ["Apache-2.0 AND MIT", true],
  ["MIT AND GPL-3.0-only", false],
  ["AGPL-3.0-only", false],
  ["UNLICENSED", false],
  [null, false],
])("Licences: %s is allowed: %s", (licence, allowed) => {
  expect(isAllowed(licence)).toBe(allowed);
});
