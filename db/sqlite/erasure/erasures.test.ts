import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CANARY, eraseAllButFile, everything, NEVER, USER } from "../../contract/log/erasures.ts";
import { newMessage } from "../../contract/subject.ts";
import { openForReading, openForWriting } from "../connection.ts";
import { DATABASE_FILE } from "../open.ts";
import { rebuildDataDir } from "../projections/rebuild.ts";
import { type SqliteSubject, sqliteSubject } from "../testing/subject.ts";

let subject: SqliteSubject;
beforeEach(async () => {
  subject = await sqliteSubject();
});
afterEach(() => subject.dispose());

/** Waits until everything is indexed for search. */
async function searched(): Promise<void> {
  await vi.waitFor(async () => {
    expect((await subject.storage.conversations.list({ q: "whole", limit: 1 })).behind).toBeUndefined();
  });
}

function rows(table: string): unknown[] {
  const connection = openForReading(join(subject.dataDir, DATABASE_FILE));
  try {
    return connection.prepare(`SELECT * FROM ${table} ORDER BY 1, 2, 3`).all();
  } finally {
    connection.close();
  }
}

test("Security: after an erasure the database is valid, and its projections match the log", async () => {
  await subject.storage.log.append(everything("c-1"));
  await searched();
  const id = await eraseAllButFile(subject.storage, "conversation", "c-1");
  expect(await subject.storage.erasures.compact(NEVER)).toMatchObject([{ id }]);
  await searched();
  expect(await subject.faults()).toEqual([]);
  const tables = ["messages", "agent_state", "agent_state_versions", "conversations", "confirmations", "alerts"];
  const folded = tables.map(rows);
  await subject.storage.close();
  await rebuildDataDir(subject.dataDir);
  await subject.reopen().catch(() => undefined);
  expect(tables.map(rows)).toEqual(folded);
});

test("Security: an interrupted erasure that was renaming a chat is finished at the next start", async () => {
  const chat = `telegram:77${CANARY}`;
  await subject.storage.log.append(everything(chat));
  await searched();
  const id = "erasure-cut-0123456789ab";
  await subject.storage.erasures.add({
    ...{ id, kind: "conversation", target: chat, reason: null, receipt: "r", requested_by: "operator:anna" },
  });
  expect(await subject.storage.erasures.find(id)).toBe("found");
  expect(await subject.storage.erasures.close(id)).toEqual([]);
  const { length } = await subject.storage.events.list(chat, { after: 0, limit: 1_000 });
  await subject.storage.close();
  const connection = openForWriting(join(subject.dataDir, DATABASE_FILE), "normal");
  for (const table of ["events", "messages"])
    connection
      .prepare(`UPDATE ${table} SET conversation_id = 'erased-0123456789ab' WHERE conversation_id = ? AND seq > 7`)
      .run(chat);
  connection.close();
  await subject.reopen();

  await subject.storage.erasures.erase(id);
  expect(await subject.storage.erasures.find(id)).toBe("nothing");
  await subject.storage.erasures.forget(id);
  await subject.storage.erasures.compact(NEVER);
  expect(await subject.filesWith(CANARY)).toEqual([]);
  await searched();
  expect(await subject.faults()).toEqual([]);
  expect(await subject.storage.conversations.get("erased-0123456789ab")).toMatchObject({ last_seq: length });
});

test("Security: remains in SQLite's pages and write-ahead log are cleared, also during writes", async () => {
  const { log, erasures } = subject.storage;
  // Random ids are inserted between others in their index, whose pages are rebalanced repeatedly.
  const said = (user: string, index: number) => ({
    ...newMessage(`${(index * 7_919) % 1_000_003}:${user}`, `${user} ${index} ${"word ".repeat(index % 90)}`, {
      conversation_id: `${user}-${index % 60}`,
    }),
    actor: `user:${user}`,
  });
  for (let from = 0; from < 6_000; from += 60)
    await log.append(
      [USER, "boris"].flatMap((user) => Array.from({ length: 60 }, (_, index) => said(user, from + index))),
    );
  await searched();
  await eraseAllButFile(subject.storage, "user", USER);
  // Otherwise this proves nothing: rebalanced pages contain remains.
  expect(await subject.filesWith(CANARY)).toContain(DATABASE_FILE);

  let isCleared = false;
  const writing = (async () => {
    for (let index = 6_000; !isCleared; index += 1) await log.append([said("boris", index)]);
  })();
  await erasures.compact(NEVER).finally(() => (isCleared = true));
  await writing;

  expect(await subject.filesWith(CANARY)).toEqual([]);
  await searched();
  expect(await subject.faults()).toEqual([]);
  expect(await subject.storage.conversations.get("boris-7")).not.toBeNull();
});
