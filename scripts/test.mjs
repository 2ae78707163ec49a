import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { buildConsole, claimBuild } from "./build.mjs";
import { installChromium } from "./chromium.mjs";
import { installDependencies } from "./install.mjs";
import { Failure, isErrorCode, ROOT, run } from "./process.mjs";

/**
 * @typedef {{ passed: number, failed: number, failures: string[], times: Timed[] }} Tally failures: each with its first lines
 * @typedef {{ name: string, ms: number }} Timed
 * @typedef {{ name: string, commands: string[][], needsBuild?: boolean, env?: Record<string, string>, count?: (report: any) => Tally }} Gate
 */

/** Where the runners leave what they counted. */
const REPORTS = join(ROOT, "test-results", "reports");

/** How many of the slowest tests are named at the end. */
const SLOWEST = 20;

/** All gates run, even after failures. One that does not count its tests counts as one test. */
const SOURCES = /** @type {Gate[]} */ ([
  { name: "lint", commands: [["biome", "check"]] },
  { name: "unused", commands: [["knip"]] },
  { name: "rules", commands: [vitest("rules")], count: countVitest },
]);
const MODULES = /** @type {Gate[]} */ ([
  {
    name: "types",
    commands: [
      ["next", "typegen"],
      ["tsc", "--noEmit"],
    ],
  },
  { name: "unit", commands: [vitest("unit")], count: countVitest },
  { name: "postgres", commands: [vitest("postgres")], count: countVitest },
]);
// It mostly waits for a replica to be missed, so it runs beside those of the API. Running more side by side takes as long.
const REPLICAS = /** @type {Gate[]} */ ([
  { name: "replicas", commands: [vitest("replicas")], needsBuild: true, count: countVitest },
]);
const API = /** @type {Gate[]} */ ([
  { name: "api", commands: [vitest("api")], needsBuild: true, count: countVitest },
  // All that concerns storage: `vitest.config.ts` names what does not.
  { name: "api-postgres", commands: [vitest("api-postgres")], needsBuild: true, count: countVitest },
]);
// Pages lag behind a test's clicks where others take their processors.
const BROWSER = /** @type {Gate[]} */ ([
  {
    name: "browser",
    commands: [["playwright", "test", "--reporter=list,json"]],
    needsBuild: true,
    count: countPlaywright,
  },
  // What the storages do with code of their own.
  {
    name: "browser-postgres",
    commands: [["playwright", "test", "--grep=@postgres", "--reporter=list,json"]],
    needsBuild: true,
    env: { OBELUS_TEST_STORAGE: "postgres" },
    count: countPlaywright,
  },
]);

/** @type {Tally} */
const total = { passed: 0, failed: 0, failures: [], times: [] };
/** How long each gate took. */
const gateTimes = /** @type {Timed[]} */ ([]);
try {
  await installDependencies();
  await installChromium();
  rmSync(REPORTS, { recursive: true, force: true });
  mkdirSync(REPORTS, { recursive: true });
  // The build leaves a part of two cores to them.
  const [build] = await Promise.all([timed("build", tryToBuild), passAll(SOURCES, null, "collect")]);
  await passAll(MODULES, build, "both");
  await Promise.all([passAll(API, build, "both"), passAll(REPLICAS, build, "collect")]);
  await passAll(BROWSER, build, "both");
} catch (error) {
  console.error(error instanceof Failure ? error.message : error);
  add(brokenGate("The tests could not be run"));
}
console.log(`\nSlowest tests:\n${listTimes(total.times.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST))}`);
console.log(`\nGates:\n${listTimes(gateTimes)}`);
// Repeated at the end of the output, where failures are noticed.
if (total.failures.length > 0) console.log(`\nFailed:\n${total.failures.join("\n")}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

/**
 * Builds for API and browser tests, once for both.
 * @returns {Promise<string | null>} the build's folder; null if it failed, which is printed and counted.
 */
async function tryToBuild() {
  try {
    await buildConsole();
    return claimBuild();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.error(error.message);
    add(brokenGate("build"));
    return null;
  }
}

/** @param {Tally} tally */
function add(tally) {
  total.passed += tally.passed;
  total.failed += tally.failed;
  total.failures.push(...tally.failures);
  total.times.push(...tally.times);
}

/**
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 */
async function timed(name, work) {
  const from = performance.now();
  const done = await work();
  gateTimes.push({ name, ms: performance.now() - from });
  return done;
}

/** @param {Timed[]} times */
function listTimes(times) {
  return times.map(({ name, ms }) => `${(ms / 1_000).toFixed(1).padStart(8)} s  ${name}`).join("\n");
}

/**
 * @param {string} name
 * @returns {Tally}
 */
function brokenGate(name) {
  return { passed: 0, failed: 1, failures: [`  ${name}`], times: [] };
}

/**
 * Runs gates in turn.
 *
 * @param {Gate[]} gates
 * @param {string | null} build
 * @param {"both" | "collect"} stdio
 */
async function passAll(gates, build, stdio) {
  for (const gate of gates) add(await timed(gate.name, () => pass(gate, build, stdio)));
}

/**
 * Runs a gate and counts what passed and failed in it.
 *
 * @param {Gate} gate
 * @param {string | null} build
 * @param {"both" | "collect"} stdio whether its output is shown as it comes, or whole at its end.
 * @returns {Promise<Tally>}
 */
async function pass(gate, build, stdio) {
  const title = `\n── ${gate.name} ${"─".repeat(60 - gate.name.length)}`;
  if (stdio === "both") console.log(title);
  const report = join(REPORTS, `${gate.name}.json`);
  if (gate.needsBuild && !build) {
    console.error(`${gate.name}: not run, there is no build`);
    return brokenGate(`${gate.name}: not run, there is no build`);
  }
  const env = { ...(build && onBuild(build)), ...gate.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  let code = 0;
  let shown = "";
  for (const [command = "", ...args] of gate.commands) {
    if (code !== 0) break;
    const ended = await run(command, args, { env, stdio });
    code = ended.code;
    shown += ended.output;
  }
  if (stdio === "collect") console.log(`${title}\n${shown.trimEnd()}`);
  const tally = gate.count ? readReport(report, gate.count) : null;
  if (!tally) return code === 0 ? { passed: 1, failed: 0, failures: [], times: [] } : brokenGate(gate.name);
  if (code === 0 || tally.failed > 0) return tally;
  return {
    passed: tally.passed,
    failed: 1,
    failures: [describe(gate.name, "failed outside of its tests", why(shown))],
    times: tally.times,
  };
}

/**
 * The compile cache is beside the build: hundreds of processes and threads load the same modules.
 * @param {string} build
 */
function onBuild(build) {
  return { OBELUS_DIST_DIR: build, NODE_COMPILE_CACHE: join(ROOT, build, "compile-cache") };
}

/**
 * @param {string} file
 * @param {(report: any) => Tally} count
 * @returns {Tally | null} null when the runner ended before it could report.
 */
function readReport(file, count) {
  try {
    return count(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    if (isErrorCode(error, "ENOENT")) return null;
    throw error;
  }
}

/**
 * @param {string} project
 */
function vitest(project) {
  const report = `--outputFile.json=${join(REPORTS, `${project}.json`)}`;
  return ["vitest", "run", "--project", project, "--reporter=default", "--reporter=json", report];
}

/** @param {{ numPassedTests: number, numFailedTests: number, testResults: VitestFile[] }} report
 * @typedef {{ name: string, assertionResults: VitestTest[] }} VitestFile
 * @typedef {{ status: string, fullName: string, duration?: number | null, failureMessages: string[] }} VitestTest
 */
function countVitest({ numPassedTests, numFailedTests, testResults }) {
  const failures = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "failed")
      .map(({ fullName, failureMessages }) => describe(relative(ROOT, name), fullName, failureMessages.join("\n"))),
  );
  const times = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      name: `${relative(ROOT, name)}: ${fullName}`,
      ms: duration ?? 0,
    })),
  );
  return { passed: numPassedTests, failed: numFailedTests, failures, times };
}

/** @param {{ stats: { expected: number, unexpected: number, flaky: number }, suites: Suite[] }} report
 * @typedef {{ suites?: Suite[], specs: Spec[] }} Suite
 * @typedef {{ ok: boolean, title: string, file: string, tests: { results: { duration: number, error?: { message: string } }[] }[] }} Spec
 */
function countPlaywright({ stats, suites }) {
  const specs = suites.flatMap(specsOf);
  const failures = specs.filter(({ ok }) => !ok);
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    failures: failures.map(({ file, title, tests }) => {
      const messages = tests.flatMap(({ results }) => results.map(({ error }) => error?.message ?? ""));
      return describe(join("e2e", "console", file), title, messages.join("\n"));
    }),
    times: specs.map(({ file, title, tests }) => ({
      name: `${join("e2e", "console", file)}: ${title}`,
      ms: tests.flatMap(({ results }) => results.map(({ duration }) => duration)).reduce((a, b) => a + b, 0),
    })),
  };
}

/**
 * @param {Suite} suite
 * @returns {Spec[]}
 */
function specsOf({ suites = [], specs }) {
  return [...specs, ...suites.flatMap(specsOf)];
}

/**
 * A runner can fail outside of its tests: an error between them, or a process that was killed. Its output has the
 * reason.
 * @param {string} output
 */
function why(output) {
  const lines = stripVTControlCharacters(output).split("\n");
  const from = lines.findIndex((line) => /Unhandled|Vitest caught|^Error:|SIG[A-Z]{3}/.test(line));
  return (from === -1 ? lines.slice(-12) : lines.slice(from)).join("\n");
}

/**
 * A failed test with the first lines of its error.
 * @param {string} file
 * @param {string} name
 * @param {string} reason
 */
function describe(file, name, reason) {
  const lines = stripVTControlCharacters(reason).split("\n").filter(Boolean).slice(0, 12);
  return [`  ${file}: ${name}`, ...lines.map((line) => `    ${line.slice(0, 300)}`)].join("\n");
}
