import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Failure, main, ROOT } from "./process.mjs";

// `npm run lock`, after `npm install` has changed package-lock.json: adds the packages for other platforms that npm
// omits if the registry lacks them, because `npm ci` requires them. npm installs them from its registry; they have no
// digest here until then.

const FILE = join(ROOT, "package-lock.json");
const SYSTEMS = ["android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const PROCESSORS = ["arm64", "arm", "ia32", "ppc64", "riscv64", "s390x", "wasm32", "x64"];
const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

/**
 * The entries that a lock file lacks, by path: optional dependencies of its packages with exact versions.
 * @typedef {Record<string, { version?: string, license?: string, dev?: boolean, optionalDependencies?: Record<string,
 * string> }>} Packages
 * @param {Packages} packages
 */
export function missingEntries(packages) {
  /** @type {Packages} */
  const missing = {};
  for (const [path, { license, dev, optionalDependencies = {} }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (!EXACT.test(version)) continue;
      const found = placesOf(name, path).find((place) => place in packages);
      if (found !== undefined && packages[found]?.version === version) continue;
      const place = `${path.slice(0, path.lastIndexOf("node_modules/"))}node_modules/${name}`;
      const { os, cpu, libc } = platformOf(name);
      // In npm's order, so that npm does not rewrite the file.
      missing[place] = {
        version,
        cpu,
        ...(dev && { dev }),
        ...(libc && { libc }),
        license,
        optional: true,
        ...(os && { os }),
      };
    }
  }
  return missing;
}

/**
 * The packages of a lock file with the missing ones. One that replaces another version moves that, so that it is
 * missing in turn.
 * @param {Packages} packages
 * @returns {Packages}
 */
function complete(packages) {
  const missing = Object.entries(missingEntries(packages));
  if (missing.length === 0) return packages;
  const known = Object.entries(packages);
  const added = missing.map(([path, entry]) => {
    const same = known.find(([place, { version }]) => nameOf(place) === nameOf(path) && version === entry.version);
    return [path, same?.[1] ?? entry];
  });
  return complete({ ...packages, ...Object.fromEntries(added) });
}

/** @param {string} path */
function nameOf(path) {
  return path.slice(path.lastIndexOf("node_modules/"));
}

/**
 * Where Node resolves a package for another one at `path`, the nearest first.
 * @param {string} name
 * @param {string} path
 */
function placesOf(name, path) {
  const places = [`${path}/node_modules/${name}`];
  for (let above = path; above !== ""; ) {
    above = above.slice(0, Math.max(0, above.lastIndexOf("node_modules/") - 1));
    places.push(`${above === "" ? "" : `${above}/`}node_modules/${name}`);
  }
  return places;
}

/**
 * The platform of a package, by its name: `@swc/core-win32-x64-msvc`.
 * @param {string} name
 */
function platformOf(name) {
  const words = name.split(/[/-]/);
  const os = SYSTEMS.find((system) => words.includes(system));
  const cpu = PROCESSORS.find((processor) => words.includes(processor));
  if (cpu === undefined) throw new Failure(`The name ${name} does not tell for which processor it is; add it by hand.`);
  const libc = words.includes("musl") ? "musl" : words.includes("gnu") ? "glibc" : null;
  return { os: os && [os], cpu: [cpu], libc: libc && [libc] };
}

if (import.meta.filename === process.argv[1]) {
  await main(async () => {
    const lock = JSON.parse(readFileSync(FILE, "utf8"));
    const packages = complete(lock.packages);
    const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, "en"));
    writeFileSync(FILE, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
    const added = sorted.length - Object.keys(lock.packages).length;
    console.log(`Added ${added} packages for other platforms to package-lock.json`);
  });
}
