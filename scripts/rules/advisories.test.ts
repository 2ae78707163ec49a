import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Advisory, findVulnerable, readAdvisories } from "./advisories.ts";

type Events = Advisory["affected"][number]["ranges"][number]["events"];

const about = (name: string, events: Events, more: Partial<Advisory> = {}): Advisory => ({
  ...{ id: "GHSA-1", summary: "Reads files", database_specific: { severity: "HIGH" } },
  affected: [{ package: { ecosystem: "npm", name }, ranges: [{ type: "SEMVER", events }], versions: [] }],
  ...more,
});
const installed = (version: string) => [{ name: "left", version, licence: "MIT" }];
const isFound = (version: string, ...advisories: Advisory[]) =>
  findVulnerable(installed(version), advisories).length > 0;

test.each<[string, Events, boolean]>([
  ["1.0.0", [{ introduced: "0" }, { fixed: "1.2.0" }], true],
  ["1.2.0", [{ introduced: "0" }, { fixed: "1.2.0" }], false],
  ["1.2.0-rc.1", [{ introduced: "0" }, { fixed: "1.2.0" }], true],
  ["0.0.0-canary.1", [{ introduced: "0" }, { fixed: "1.2.0" }], true],
  ["1.10.0", [{ introduced: "1.9.0" }, { fixed: "1.11.0" }], true],
  ["1.8.0", [{ introduced: "1.9.0" }, { fixed: "1.11.0" }], false],
  ["2.1.0", [{ introduced: "1.0.0" }, { fixed: "1.5.0" }, { introduced: "2.0.0" }, { fixed: "2.2.0" }], true],
  ["1.7.0", [{ introduced: "1.0.0" }, { fixed: "1.5.0" }, { introduced: "2.0.0" }, { fixed: "2.2.0" }], false],
  ["3.0.0", [{ introduced: "1.0.0" }, { last_affected: "3.0.0" }], true],
  ["3.0.1", [{ introduced: "1.0.0" }, { last_affected: "3.0.0" }], false],
  ["9.0.0", [{ introduced: "1.0.0" }], true],
  ["9.0.0", [], false],
])("Advisories: version %s of %j is found: %s", (version, events, found) => {
  expect(isFound(version, about("left", events))).toBe(found);
});

test("Advisories: only packages of npm by that name are found, also by listed versions, and nothing that was withdrawn", () => {
  const events = [{ introduced: "0" }];
  expect(isFound("1.0.0", about("right", events))).toBe(false);
  expect(isFound("1.0.0", about("left", events, { withdrawn: "2026-01-01T00:00:00Z" }))).toBe(false);
  const named = (ecosystem: string) =>
    about("", [], { affected: [{ package: { ecosystem, name: "left" }, ranges: [], versions: ["1.0.0"] }] });
  expect(isFound("1.0.0", named("npm"))).toBe(true);
  expect(isFound("1.0.1", named("npm"))).toBe(false);
  expect(isFound("1.0.0", named("PyPI"))).toBe(false);
  const fixed = about("left", [{ introduced: "0" }, { fixed: "1.2.0" }]);
  expect(findVulnerable(installed("1.0.0"), [fixed])).toEqual([
    { name: "left", version: "1.0.0", id: "GHSA-1", severity: "high", summary: "Reads files", fixed: ["1.2.0"] },
  ]);
});

test("Advisories: they are read from a folder, an array, or lines; what is none is refused with its file", () => {
  const folder = mkdtempSync(join(tmpdir(), "obelus-advisories-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const one = { ...about("left", [{ introduced: "0" }]), schema_version: "1.6.0" };
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const ids = (path: string) => readAdvisories(path).map(({ id }) => id);
  expect(ids(write("one.json", JSON.stringify(one)))).toEqual(["GHSA-1"]);
  expect(ids(write("array.json", JSON.stringify([one, one])))).toEqual(["GHSA-1", "GHSA-1"]);
  expect(ids(write("lines.ndjson", `${JSON.stringify(one)}\n${JSON.stringify(one)}\n`))).toEqual(["GHSA-1", "GHSA-1"]);
  expect(ids(folder)).toHaveLength(3);
  expect(() => ids(write("none.txt", "<html>"))).toThrow(/none\.txt is not JSON/);
  expect(() => ids(write("other.txt", '{"name": "left"}'))).toThrow(/other\.txt is no advisory in the OSV format/);
  expect(() => ids(write("empty.txt", "[]"))).toThrow(/has no advisories/);
});
