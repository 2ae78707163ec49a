import { execFileSync } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ROOT } from "../../../scripts/process.mjs";
import { startServerProcess } from "../../../scripts/server-process.ts";
import { logEvent, temporaryDirectory } from "../setup/server.ts";

let folder: string;

beforeEach(async () => {
  folder = await temporaryDirectory();
});

afterEach(() => rm(folder, { recursive: true }));

/** Everything in a folder, including itself, that others than its owner may read. */
function openTo(path: string): string[] {
  const found = lstatSync(path);
  const below = found.isDirectory() ? readdirSync(path).flatMap((name) => openTo(join(path, name))) : [];
  return (found.mode & 0o077) === 0 ? below : [path, ...below];
}

function run(dataDir: string, script: string, ...args: string[]): void {
  const env = { ...process.env, OBELUS_DATA_DIR: dataDir };
  execFileSync(process.execPath, ["scripts/commands/main.ts", script, ...args], { cwd: ROOT, env, stdio: "pipe" });
}

async function send(address: string, path: string, value: unknown): Promise<number> {
  const headers = { "content-type": "application/json" };
  return (await fetch(`${address}${path}`, { method: "POST", headers, body: JSON.stringify(value) })).status;
}

test.skipIf(process.platform === "win32")(
  "Keep: what the server and the commands write is its owner's alone, and so becomes what an earlier version wrote",
  async () => {
    const dataDir = join(folder, "data");
    // As created by an earlier version.
    mkdirSync(dataDir, { mode: 0o755 });
    for (const name of ["lock.sqlite", "telemetry.json"]) writeFileSync(join(dataDir, name), "", { mode: 0o644 });
    const server = await startServerProcess(dataDir, { log: join(folder, "log") });
    try {
      expect(await send(server.address, "/api/events", logEvent("told", 1))).toBe(201);
      expect(readdirSync(dataDir)).toEqual(
        expect.arrayContaining(["obelus.sqlite", "obelus.sqlite-wal", "portal.db", "secret.key", "tmp"]),
      );
      expect(openTo(dataDir)).toEqual([]);
      run(dataDir, "users", "list");
      run(dataDir, "backup", join(folder, "backups"), "--with-key");
      expect([...openTo(dataDir), ...openTo(join(folder, "backups"))]).toEqual([]);
    } finally {
      await server.stop();
    }
    run(dataDir, "rebuild");
    const [backup = ""] = readdirSync(join(folder, "backups"));
    run(join(folder, "restored"), "restore", join(folder, "backups", backup));
    run(join(folder, "new", "data"), "users", "list");
    expect(["data", "restored", "new"].flatMap((name) => openTo(join(folder, name)))).toEqual([]);
  },
);

test.skipIf(process.platform === "win32")(
  "Keep: a folder for backups that is there already, and one that is not Obelus's alone, stay as open as they are",
  () => {
    const shared = join(folder, "shared");
    mkdirSync(shared);
    chmodSync(shared, 0o775);
    writeFileSync(join(shared, "others.txt"), "");
    run(shared, "users", "list");
    run(shared, "backup", shared);
    expect(lstatSync(shared).mode & 0o777).toBe(0o775);
    expect(openTo(shared)).toEqual([shared, join(shared, "others.txt")]);
  },
);
