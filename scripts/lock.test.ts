import { existsSync } from "node:fs";
import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withLock } from "./lock.mjs";

let folder: string;
let lock: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "obelus-lock-"));
  lock = join(folder, "lock");
});

afterEach(() => rm(folder, { recursive: true }));

test("concurrent starts do not work at the same time", async () => {
  const seen: string[] = [];
  const work = (name: string) => () =>
    new Promise<void>((resolve) => {
      seen.push(`${name} begins`);
      setImmediate(() => {
        seen.push(`${name} ends`);
        resolve();
      });
    });
  await Promise.all([withLock(lock, work("one")), withLock(lock, work("two"))]);
  expect(seen).toEqual(["one begins", "one ends", "two begins", "two ends"]);
});

test("an abandoned lock is taken over", async () => {
  await writeFile(lock, "");
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(lock, longAgo, longAgo);
  await expect(withLock(lock, async () => "done")).resolves.toBe("done");
});

test("failed work releases the lock", async () => {
  const failed = withLock(lock, () => Promise.reject(new Error("no network")));
  await expect(failed).rejects.toThrow("no network");
  expect(existsSync(lock)).toBe(false);
});
