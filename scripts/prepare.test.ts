import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { damagedBy } from "./damage.mjs";
import { ROOT } from "./process.mjs";

let project: string;
let npmFolder: string;

/** A fake npm: installs one package and the project's Node, whose script links it, depending on its mode. */
const NPM = `#!${process.execPath}
import fs from "node:fs";
const mode = fs.existsSync("mode") ? fs.readFileSync("mode", "utf8") : "";
const [command, ...options] = process.argv.slice(2);
fs.appendFileSync("calls", command + " " + process.pid + "\\n");
if (command === "rebuild") {
  if (options.includes("node")) fs.writeFileSync("node_modules/.bin/node" + (process.platform === "win32" ? ".cmd" : ""), "");
  process.exit(0);
}
if (!options.includes("--ignore-scripts")) {
  console.error("npm error not found: make");
  process.exit(1);
}
if (mode === "in the way" && fs.existsSync("node_modules/.one-AbCdEfGh")) {
  console.error("npm error ENOTEMPTY: directory not empty, rename 'node_modules/one' -> 'node_modules/.one-AbCdEfGh'");
  process.exit(1);
}
for (const name of ["one", "node"]) {
  fs.mkdirSync("node_modules/" + name, { recursive: true });
  fs.writeFileSync("node_modules/" + name + "/package.json", "{}");
}
fs.mkdirSync("node_modules/.bin", { recursive: true });
if (mode === "hangs") setInterval(() => 0, 1000);
else fs.copyFileSync("package-lock.json", "node_modules/.package-lock.json");
`;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "obelus-prepare-"));
  npmFolder = join(project, "tools");
  mkdirSync(npmFolder);
  writeFileSync(join(npmFolder, "npm"), NPM);
  chmodSync(join(npmFolder, "npm"), 0o755);
  cpSync(join(ROOT, "scripts"), join(project, "scripts"), { recursive: true });
  const dependencies = { one: "1.0.0", node: "24.0.0" };
  const packages = {
    "": { dependencies },
    "node_modules/one": { version: "1.0.0" },
    "node_modules/node": { version: "24.0.0" },
  };
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module", dependencies }));
  writeFileSync(join(project, "package-lock.json"), JSON.stringify({ packages }));
});

afterEach(() => rmSync(project, { recursive: true, force: true }));

function begin() {
  const env = { ...process.env, PATH: [npmFolder, process.env.PATH].join(delimiter) };
  return spawn(process.execPath, ["scripts/prepare.mjs", "install"], {
    cwd: project,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

async function prepare() {
  const child = begin();
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code, output: output + errors };
}

const calls = () => readFileSync(join(project, "calls"), "utf8").trim().split("\n");
const commands = () => calls().map((call) => call.split(" ")[0]);
const setMode = (mode: string) => writeFileSync(join(project, "mode"), mode);

describe.skipIf(process.platform === "win32")("Start: what is installed", () => {
  test("does nothing while it is complete, and reinstalls a missing package", async () => {
    await prepare();
    expect(await prepare()).toEqual({ code: 0, output: "" });
    rmSync(join(project, "node_modules/one"), { recursive: true });
    expect((await prepare()).output).toContain("Missing or damaged, reinstalling: node_modules/one\n");
    expect(existsSync(join(project, "node_modules/one/package.json"))).toBe(true);
    expect(commands()).toEqual(["install", "rebuild", "install", "rebuild"]);
  });

  test("compiles nothing, and links the project's own Node", async () => {
    expect((await prepare()).code).toBe(0);
    expect(existsSync(join(project, "node_modules/.bin/node"))).toBe(true);
    rmSync(join(project, "node_modules/.bin/node"));
    expect((await prepare()).output).toContain("Missing or damaged, reinstalling: node_modules/node\n");
    expect(existsSync(join(project, "node_modules/.bin/node"))).toBe(true);
  });

  test("starts again after an installation was killed, which ends with its parent", async () => {
    setMode("hangs");
    const child = begin();
    await expect.poll(() => existsSync(join(project, "node_modules/node/package.json"))).toBe(true);
    const [, pid = ""] = calls()[0]?.split(" ") ?? [];
    child.kill("SIGKILL");
    await once(child, "exit");
    await expect
      .poll(() => existsSync(`/proc/${pid}`) && !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z"))
      .toBe(false);
    setMode("");
    // The interrupted installation is not trusted.
    writeFileSync(join(project, "node_modules/half"), "");
    rmSync(join(project, ".build/lock"), { force: true });
    const { code, output } = await prepare();
    expect([code, output]).toEqual([0, expect.stringContaining("An installation was interrupted; reinstalling\n")]);
    expect(existsSync(join(project, "node_modules/half"))).toBe(false);
    expect(await prepare()).toEqual({ code: 0, output: "" });
  });

  test("removes leftovers that are in the way", async () => {
    setMode("in the way");
    mkdirSync(join(project, "node_modules/.one-AbCdEfGh"), { recursive: true });
    const { code, output } = await prepare();
    expect([code, output]).toEqual([0, expect.stringContaining("are in the way; reinstalling everything\n")]);
    expect(commands()).toEqual(["install", "install", "rebuild"]);
  });
});

describe("Start: an error during the server's start", () => {
  const failed = (name: string, message: string, stack: string, code?: string) =>
    Object.assign(new Error(message), { name, stack: `${name}: ${message}\n${stack}`, ...(code && { code }) });
  test.each([
    [
      failed("Error", "Cannot find package 'pino' imported from /o/lib/server/logger.ts", "", "ERR_MODULE_NOT_FOUND"),
      ["node_modules/pino"],
    ],
    [
      failed(
        "Error",
        "/o/node_modules/better-sqlite3/prebuilds/linux-x64.node: file too short",
        "",
        "ERR_DLOPEN_FAILED",
      ),
      ["node_modules/better-sqlite3"],
    ],
    [
      failed("TypeError", "x is not a function", "    at file:///o/node_modules/@node-rs/argon2/index.js:3:1"),
      ["node_modules/@node-rs/argon2"],
    ],
    [failed("TypeError", "x is not a function", "    at file:///o/lib/server/start.ts:3:1"), null],
    [failed("Error", "the disk is on fire", "    at file:///o/node_modules/better-sqlite3/lib/database.js:3:1"), null],
  ])("%s", (error, damaged) => expect(damagedBy(error)).toEqual(damaged));
});
