import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DataDirLocked } from "../../errors.ts";
import { lockDataDir } from "./data-dir-lock.ts";

const ignore = () => undefined;
let dataDir = "";
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "obelus-"));
});
afterEach(() => rm(dataDir, { recursive: true }));

test("E5: a second lock in the same process is refused until the first is released", () => {
  const lock = lockDataDir(dataDir, ignore);
  expect(() => lockDataDir(dataDir, ignore)).toThrow(DataDirLocked);
  expect(() => lockDataDir(dataDir, ignore)).toThrow(`process ${process.pid}`);
  lock.release(true);
  lockDataDir(dataDir, ignore).release(true);
});

test("E5: another process is named by its id, and killing it releases the lock", async () => {
  const script = `import { lockDataDir } from ${JSON.stringify(new URL("./data-dir-lock.ts", import.meta.url).href)};
    globalThis.lock = lockDataDir(${JSON.stringify(dataDir)}, () => undefined);
    console.log("held");
    setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  await once(child.stdout, "data");
  expect(() => lockDataDir(dataDir, ignore)).toThrow(`${dataDir} is in use by process ${child.pid}`);
  child.kill("SIGKILL");
  await ended;
  lockDataDir(dataDir, ignore).release(true);
});
