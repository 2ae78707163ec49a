import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ROOT } from "../process.mjs";

/** The licences that dependencies of Obelus may have. */
const ALLOWED: ReadonlyMap<string, string> = new Map([
  ["0BSD", ""],
  ["Apache-2.0", ""],
  ["BSD-2-Clause", ""],
  ["BSD-3-Clause", ""],
  ["BlueOak-1.0.0", ""],
  ["CC-BY-4.0", "data about browsers, read when the console is built"],
  ["EPL-2.0", "elkjs, used as it is"],
  ["ISC", ""],
  ["LGPL-3.0-or-later", "libvips, a separate library that Next would load for images; Obelus converts none"],
  ["MIT", ""],
  ["MIT-0", ""],
  ["MPL-2.0", "Lightning CSS, used as it is when the console is built"],
  ["OFL-1.1", "fonts"],
]);

const FILE = join(ROOT, "docs/licences.md");

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), license: z.string().optional(), dev: z.boolean().optional() }),
  ),
});

/** A dependency; `licence` is null if it declares none. */
export interface Dependency {
  name: string;
  version: string;
  licence: string | null;
}

/** All dependencies, by name, from the lock file: also those of other platforms. */
export function productionDependencies(lock: unknown): Dependency[] {
  const found = Object.entries(lockFile.parse(lock).packages).flatMap(([path, { version = "", license, dev }]) => {
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    return path === "" || dev ? [] : [{ name, version, licence: license ?? null }];
  });
  const unique = new Map(found.map((each) => [`${each.name} ${each.version}`, each]));
  return [...unique.values()].sort((a, b) => (a.name + a.version < b.name + b.version ? -1 : 1));
}

/** Whether a licence expression is allowed: all of `A AND B`, one of `A OR B`. */
export function isAllowed(licence: string | null): boolean {
  if (licence === null) return false;
  const choices = licence.replaceAll(/[()]/g, "").split(" OR ");
  return choices.some((choice) => choice.split(" AND ").every((name) => ALLOWED.has(name)));
}

/** The documentation page. */
export function licencesPage(dependencies: readonly Dependency[]): string {
  const byLicence = Map.groupBy(dependencies, ({ licence }) => licence ?? "none");
  const sections = [...byLicence.keys()].sort().map((licence) => {
    const names = byLicence.get(licence)?.map(({ name, version }) => `${name} ${version}`) ?? [];
    const why = [...new Set(licence.split(/ AND | OR /).map((name) => ALLOWED.get(name)))].filter(Boolean).join("; ");
    return `## ${licence}\n\n${why ? `${why[0]?.toUpperCase()}${why.slice(1)}.\n\n` : ""}${names.join(", ")}\n`;
  });
  return `# Licences

Obelus has the [MIT licence](../LICENSE). This page lists its runtime and build dependencies on all platforms. \`npm run licences\`
generates it from \`package-lock.json\`. A test fails if a dependency is missing here or has a licence that \`scripts/rules/licences.ts\`
does not allow. \`npm audit --omit=dev --audit-level=high\` reports known vulnerabilities; it needs npm's registry. Without a network,
\`npm run audit -- --advisories PATH\` compares the same packages with advisories in the OSV format: a folder or a file, such as the
export for npm of osv.dev, unpacked.

\`lib/redaction/gitleaks.ts\` contains rules of gitleaks (MIT, © 2019 Zachary Rice), with its licence at the top of the file.

${sections.join("\n")}`;
}

if (import.meta.main) {
  const dependencies = productionDependencies(JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")));
  writeFileSync(FILE, licencesPage(dependencies));
  const refused = dependencies.filter(({ licence }) => !isAllowed(licence));
  for (const { name, version, licence } of refused) console.error(`${name} ${version}: ${licence ?? "no licence"}`);
  console.log(`docs/licences.md lists ${dependencies.length} packages; ${refused.length} are not allowed.`);
  process.exitCode = refused.length > 0 ? 1 : 0;
}
