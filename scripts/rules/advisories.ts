import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import semver from "semver";
import { z } from "zod";
import { ROOT } from "../process.mjs";
import { type Dependency, productionDependencies } from "./licences.ts";

const USAGE = `npm run audit -- --advisories PATH

Compares the runtime dependencies of package-lock.json with a database of advisories in the OSV format, without a network.
PATH is a folder of JSON files, as in the export for npm of osv.dev or in a clone of GitHub's advisory database, or one file:
an advisory, an array of them, or one on each line.`;

const bound = z.object({
  introduced: z.string().optional(),
  fixed: z.string().optional(),
  last_affected: z.string().optional(),
});
type Bound = z.infer<typeof bound>;

/** An advisory in the OSV format (https://ossf.github.io/osv-schema), as far as it is used. */
const advisory = z.object({
  id: z.string(),
  summary: z.string().optional(),
  withdrawn: z.string().optional(),
  affected: z
    .array(
      z.object({
        package: z.object({ ecosystem: z.string(), name: z.string() }).optional(),
        ranges: z.array(z.object({ type: z.string(), events: z.array(bound) })).default([]),
        versions: z.array(z.string()).default([]),
      }),
    )
    .default([]),
  database_specific: z.looseObject({ severity: z.string().optional() }).optional(),
});
export type Advisory = z.infer<typeof advisory>;

/** A dependency with a known vulnerability. */
export interface Finding extends Pick<Dependency, "name" | "version"> {
  id: string;
  /** `critical`, `high`, `moderate` or `low`; null if the advisory says none. */
  severity: string | null;
  summary: string;
  /** The versions that have it fixed, as far as they are newer. */
  fixed: string[];
}

/** Reads advisories of npm's packages from a folder or a file. Throws if there are none, or if one is no advisory. */
export function readAdvisories(path: string): Advisory[] {
  const files = statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".json"))
        .map((name) => join(path, name))
    : [path];
  const found = files.flatMap((file) => parseAdvisories(readFileSync(file, "utf8"), file));
  if (found.length === 0) throw new Error(`${path} has no advisories about packages of npm`);
  return found;
}

function parseAdvisories(text: string, file: string): Advisory[] {
  const parsed = z.union([advisory, z.array(advisory)]).safeParse(parseJson(text, file));
  if (!parsed.success) throw new Error(`${file} is no advisory in the OSV format: ${z.prettifyError(parsed.error)}`);
  return [parsed.data].flat().filter(({ affected }) => affected.some((one) => one.package?.ecosystem === "npm"));
}

/** A JSON document, or one on each line. */
function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    try {
      return lines.map((line): unknown => JSON.parse(line));
    } catch {
      throw new Error(`${file} is not JSON`, { cause: error });
    }
  }
}

/** The dependencies that an advisory names with their version, by name. Withdrawn advisories name none. */
export function findVulnerable(dependencies: readonly Dependency[], advisories: readonly Advisory[]): Finding[] {
  const byName = Map.groupBy(dependencies, ({ name }) => name);
  const found = advisories.flatMap(({ id, summary = "", withdrawn, affected, database_specific }) => {
    if (withdrawn !== undefined) return [];
    const severity = database_specific?.severity?.toLowerCase() ?? null;
    return affected.flatMap(({ package: named, ranges, versions }) => {
      if (named?.ecosystem !== "npm") return [];
      const spans = ranges.filter(({ type }) => type === "SEMVER" || type === "ECOSYSTEM").map(({ events }) => events);
      return (byName.get(named.name) ?? [])
        .filter(({ version }) => versions.includes(version) || spans.some((bounds) => isWithin(version, bounds)))
        .map(({ name, version }) => ({ name, version, id, severity, summary, fixed: fixesAfter(version, spans) }));
    });
  });
  return found.sort((a, b) => (a.name + a.id < b.name + b.id ? -1 : 1));
}

/** Whether the last bound that a version has reached opens a range. */
function isWithin(version: string, bounds: readonly Bound[]): boolean {
  const opened = bounds.flatMap(({ introduced }) =>
    introduced !== undefined && reaches(version, introduced) ? [introduced] : [],
  );
  const latest = opened.sort((a, b) => semver.compare(asVersion(a), asVersion(b))).at(-1);
  if (latest === undefined) return false;
  return !bounds.some(({ fixed, last_affected }) => {
    const end = fixed ?? last_affected;
    if (end === undefined || semver.lt(asVersion(end), asVersion(latest))) return false;
    return fixed !== undefined ? reaches(version, fixed) : semver.gt(version, asVersion(end));
  });
}

function reaches(version: string, from: string): boolean {
  return semver.gte(version, asVersion(from));
}

/** `0` stands for the first version of all. */
function asVersion(text: string): string {
  return text === "0" ? "0.0.0-0" : text;
}

function fixesAfter(version: string, spans: readonly (readonly Bound[])[]): string[] {
  const fixed = spans.flatMap((bounds) => bounds.flatMap((one) => one.fixed ?? []));
  return [...new Set(fixed)].filter((one) => semver.gt(one, version)).sort(semver.compare);
}

/** Prints what was found. Returns the exit code. */
function report(path: string): number {
  const dependencies = productionDependencies(JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")));
  const advisories = readAdvisories(path);
  const findings = findVulnerable(dependencies, advisories);
  for (const { name, version, id, severity, summary, fixed } of findings) {
    const remedy = fixed[0] ? ` (fixed in ${fixed[0]})` : "";
    console.log(`${name} ${version}: ${id}, ${severity ?? "severity unknown"}: ${summary}${remedy}`);
  }
  console.log(`${findings.length} found: ${dependencies.length} packages, ${advisories.length} advisories.`);
  return findings.length > 0 ? 1 : 0;
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { advisories: { type: "string" } } });
  try {
    if (values.advisories === undefined) throw new Error(USAGE);
    process.exitCode = report(values.advisories);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 2;
  }
}
