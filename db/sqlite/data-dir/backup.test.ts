import { existsSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newEvent, newMessage } from "../../contract/subject.ts";
import { DataDirLocked, DataRefused } from "../../errors.ts";
import { auditCommand } from "../access/command-audit.ts";
import { checkDatabase } from "../check/check.ts";
import { DATABASE_FILE, openStorage } from "../open.ts";
import { type SqliteSubject, sqliteSubject } from "../testing/subject.ts";
import { type BackupOptions, backUp } from "./backup.ts";
import { restore } from "./restore.ts";

let subject: SqliteSubject;
let folder = "";
beforeEach(async () => {
  subject = await sqliteSubject();
  folder = await mkdtemp(join(tmpdir(), "obelus-backups-"));
});
afterEach(async () => {
  await subject.dispose();
  await rm(folder, { recursive: true });
});

const back = (options: Partial<BackupOptions> = {}) =>
  backUp({
    ...{ dataDir: subject.dataDir, folder, version: "1.2.3", withKey: false, keep: null },
    ...{ now: new Date("2026-01-31T10:20:30.000Z"), onPhase: () => undefined, ...options },
  });

const at = (day: number) => ({ now: new Date(Date.UTC(2026, 0, day)) });

async function faultsOf(where: string): Promise<string[]> {
  const ignored = { onProgress: () => undefined, onChecked: () => undefined };
  const checked = await checkDatabase({ folder: where, allSnapshots: true, ...ignored });
  return checked.flatMap(({ name, faults }) => faults.map((fault) => `${name}: ${fault}`));
}

describe("Keep: a backup", () => {
  test("is a consistent snapshot during writes, and can be restored", async () => {
    const { log } = subject.storage;
    await log.append([newMessage("m", "kept")]);
    let isDone = false;
    const answered: number[] = [];
    const posting = (async () => {
      for (let n = 0; !isDone; n += 1) {
        const events = Array.from({ length: 20 }, (_, index) => newEvent({ id: `${n}/${index}`, payload: { n } }));
        const appended = await log.append(events);
        answered.push(appended.at(-1)?.position ?? 0);
      }
    })();
    while (answered.length < 5) await new Promise((resolve) => setTimeout(resolve, 1));
    const before = answered.at(-1) ?? 0;
    const { path, manifest } = await back();
    isDone = true;
    await posting;
    expect(manifest).toMatchObject({ version: "1.2.3", created_at: "2026-01-31T10:20:30.000Z", secret_key: false });
    expect(manifest.position).toBeGreaterThanOrEqual(before);
    // Whole appends only.
    expect(manifest.counts).toMatchObject({ conversations: 1, events: manifest.position, messages: 1 });
    expect((manifest.position - 1) % 20).toBe(0);
    expect(await faultsOf(path)).toEqual([]);

    const restored = join(folder, "restored");
    expect(await restore(path, restored)).toEqual(manifest);
    const again = await openStorage({
      dataDir: restored,
      durability: "full",
      onCommit: () => undefined,
      logger: console,
    });
    expect(await again.events.head()).toBe(manifest.position);
    expect((await again.messages.list("c", { limit: 9 })).items).toMatchObject([{ content: "kept" }]);
    await again.close();
  });

  test("works without a server, and is private to its owner", async () => {
    await subject.storage.log.append([newMessage("m", "kept")]);
    await subject.storage.close();
    const { path } = await back();
    expect((await stat(path)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(path)) expect((await stat(join(path, name))).mode & 0o777).toBe(0o600);
    expect(await faultsOf(path)).toEqual([]);
  });

  test("includes the secret key if requested", async () => {
    await expect(back({ withKey: true })).rejects.toThrow("no secret was encrypted");
    expect(await readdir(folder)).toEqual([]);
    await writeFile(join(subject.dataDir, "secret.key"), "ab".repeat(32));
    const { path, manifest } = await back({ withKey: true });
    expect(manifest.secret_key).toBe(true);
    await restore(path, join(folder, "restored"));
    expect(await readFile(join(folder, "restored", "secret.key"), "utf8")).toBe("ab".repeat(32));
    expect((await stat(join(folder, "restored", "secret.key"))).mode & 0o777).toBe(0o600);
    expect(existsSync(join((await back(at(1))).path, "secret.key"))).toBe(false);
  });

  test("never overwrites another one, and keeps the newest N", async () => {
    await back();
    await expect(back()).rejects.toThrow("already exists");
    const cutOff = join(folder, "obelus-2025-01-01T00-00-00Z.draft");
    const underWay = join(folder, "obelus-2026-01-03T00-00-00Z.draft");
    for (const draft of [cutOff, underWay]) await mkdir(draft);
    await utimes(cutOff, 0, 0);
    await writeFile(join(folder, "notes.txt"), "of somebody else");
    await back(at(1));
    const { removed } = await back({ ...at(2), keep: 2, now: new Date() });
    expect(removed).toHaveLength(2);
    const left = await readdir(folder);
    expect(left).toHaveLength(4);
    expect(left).toEqual(expect.arrayContaining(["obelus-2026-01-31T10-20-30Z", "notes.txt"]));
    expect(left).not.toContain("obelus-2026-01-01T00-00-00Z");
    expect(existsSync(cutOff)).toBe(false);
  });

  test("is audited, while a server writes", async () => {
    const action = { action: "backup.made", target: "backup:obelus-x", after: { position: 1 } } as const;
    const caller = { kind: "person", id: "x", name: "anna", role: "admin" } as const;
    const commandLine = { caller, address: "terminal", request_id: "r" };
    const [told] = await Promise.all([
      auditCommand(subject.dataDir, action, commandLine),
      ...Array.from({ length: 20 }, (_, n) => subject.storage.log.append([newEvent({ id: `e${n}` })])),
    ]);
    expect(told).toBe(true);
    const { items } = await subject.storage.audit.list({ limit: 9 });
    expect(items).toMatchObject([{ ...action, actor: "operator:anna", address: "terminal" }]);
    expect(await faultsOf(subject.dataDir)).toEqual([]);
  });

  test("is not valid if it was interrupted", async () => {
    const { path } = await back();
    await rm(join(path, "manifest.json"));
    await expect(restore(path, join(folder, "restored"))).rejects.toThrow("is not a backup");
    expect(existsSync(join(folder, "restored"))).toBe(false);
  });
});

describe("Keep: a restore is refused", () => {
  test("if the backup was changed, and leaves nothing", async () => {
    const { path } = await back();
    await appendFile(join(path, DATABASE_FILE), "x");
    const restored = join(folder, "restored");
    await expect(restore(path, restored)).rejects.toThrow("does not match its manifest");
    expect((await readdir(restored)).filter((name) => !name.startsWith("lock"))).toEqual([]);
    expect(await faultsOf(path)).toContain("backup: obelus.sqlite does not match its manifest");
  });

  test("while a server is running, and if data exists", async () => {
    const { path } = await back();
    await expect(restore(path, subject.dataDir)).rejects.toThrow(DataDirLocked);
    await subject.storage.close();
    await expect(restore(path, subject.dataDir)).rejects.toThrow(DataRefused);
    await expect(restore(path, subject.dataDir)).rejects.toThrow("is not empty");
    await subject.reopen();
  });

  test("if another key exists", async () => {
    await writeFile(join(subject.dataDir, "secret.key"), "ab".repeat(32));
    const { path } = await back({ withKey: true });
    const restored = join(folder, "restored");
    await mkdir(restored);
    await writeFile(join(restored, "secret.key"), "cd".repeat(32));
    await expect(restore(path, restored)).rejects.toThrow("differs from the key in the backup");
    expect(await readFile(join(restored, "secret.key"), "utf8")).toBe("cd".repeat(32));
  });
});
