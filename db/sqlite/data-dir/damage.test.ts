import { cp, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newEvents, searched } from "../../contract/subject.ts";
import { StorageDamaged } from "../../errors.ts";
import { openForReading } from "../connection.ts";
import { DATABASE_FILE, openStorage } from "../open.ts";
import { sqliteSubject } from "../testing/subject.ts";

const PAGE = 4096;

/** A closed database; each test damages its own copy. */
let sound = "";
let dataDir = "";
let logged: string[] = [];
beforeAll(async () => {
  const { storage, dataDir: made } = await sqliteSubject();
  sound = made;
  await storage.log.append(newEvents("first", 200));
  await storage.log.append(newEvents("last", 400));
  // A start would read the log for the search index.
  await searched(storage.conversations, { q: "x", limit: 1 });
  await storage.close();
});
afterAll(() => rm(sound, { recursive: true }));
beforeEach(async () => {
  logged = [];
  dataDir = await mkdtemp(join(tmpdir(), "obelus-damaged-"));
  await cp(sound, dataDir, { recursive: true });
});
afterEach(() => rm(dataDir, { recursive: true }));

const file = () => join(dataDir, DATABASE_FILE);

/** Overwrites a page with garbage. */
async function spoilPage(page: number): Promise<void> {
  const opened = await open(file(), "r+");
  await opened.write(Buffer.alloc(PAGE, 0xa5), 0, PAGE, (page - 1) * PAGE);
  await opened.close();
}

/** The leaf pages of a table or an index, in order. */
function pagesOf(name: string): number[] {
  const connection = openForReading(file());
  const pages = connection
    .prepare<[string], number>("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path")
    .pluck()
    .all(name);
  connection.close();
  return pages;
}

const reopen = () =>
  openStorage({
    ...{ dataDir: dataDir, durability: "full", onCommit: () => undefined },
    logger: { warn: (_, message) => logged.push(message), error: (_, message) => logged.push(message) },
  });

describe("Keep: a damaged file", () => {
  test.each([
    ["its header is overwritten", () => spoilPage(1)],
    ["it is no database", () => writeFile(file(), "x".repeat(10_000))],
    ["it was cut", async () => writeFile(file(), (await readFile(file())).subarray(0, PAGE * 10))],
  ])("is refused at the start when %s, and stays as it is", async (_what, spoil) => {
    await spoil();
    const before = await readFile(file());
    await expect(reopen()).rejects.toThrow(StorageDamaged);
    await expect(reopen()).rejects.toThrow("npm run check");
    expect(before.equals(await readFile(file()))).toBe(true);
  });

  test("is detected after an unclean end, and refused each time", async () => {
    await spoilPage(pagesOf("events")[2] ?? 0);
    await writeFile(join(dataDir, "lock.pid"), "1");
    await expect(reopen()).rejects.toThrow(StorageDamaged);
    await expect(reopen()).rejects.toThrow(StorageDamaged);
  });

  test("is detected by a read: other reads continue, writes are refused, and it is logged once", async () => {
    await spoilPage(pagesOf("events")[1] ?? 0);
    const storage = await reopen();
    expect(storage.damage()).toBeNull();
    await expect(storage.events.list("first", { after: 0, limit: 200 })).rejects.toThrow(StorageDamaged);
    await expect(storage.sessions.view("first", 200)).rejects.toThrow(StorageDamaged);
    expect(storage.damage()).toBeInstanceOf(StorageDamaged);
    expect(await storage.events.list("last", { after: 300, limit: 100 })).toHaveLength(100);
    expect(await storage.conversations.get("first")).toMatchObject({ event_count: 200 });
    const before = await readFile(`${file()}-wal`).catch(() => Buffer.alloc(0));
    await expect(storage.log.append(newEvents("new", 1))).rejects.toThrow("no longer writes to it");
    expect(before.equals(await readFile(`${file()}-wal`).catch(() => Buffer.alloc(0)))).toBe(true);
    expect(logged.filter((message) => message.includes("damaged"))).toHaveLength(1);
    await storage.close();
    // The next start checks again.
    await expect(reopen()).rejects.toThrow(StorageDamaged);
  });

  test("is detected by a write: it and all later ones are refused", async () => {
    for (const page of pagesOf("events_by_id")) await spoilPage(page);
    const storage = await reopen();
    await expect(storage.log.append(newEvents("new", 1))).rejects.toThrow(StorageDamaged);
    await expect(storage.log.append(newEvents("newer", 1))).rejects.toThrow(StorageDamaged);
    expect(await storage.events.list("last", { after: 0, limit: 400 })).toHaveLength(400);
    await storage.close();
  });
});
