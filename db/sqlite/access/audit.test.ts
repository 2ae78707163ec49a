import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AuditedAction } from "../../../lib/access/audit.ts";
import type { AuditStore } from "../../access.ts";
import { type Connection, openForReading, openForWriting } from "../connection.ts";
import { Damage } from "../data-dir/damage.ts";
import { Writer } from "../log/writer.ts";
import { migrateDatabase } from "../migrate.ts";
import { createAuditStore, eraseAudit, verifyAudit } from "./audit.ts";

const FROM = { caller: { kind: "everybody" }, address: "127.0.0.1", request_id: "r" } as const;

const ACTIONS: AuditedAction[] = [
  { action: "conversation.taken_over", target: "conversation:c" },
  {
    ...{ action: "confirmation.decided", target: "confirmation:of-c", before: { status: "requested" } },
    after: { status: "approved", conversation_id: "c" },
  },
  { action: "conversation.forked", target: "conversation:other", after: { conversation_id: "fork" } },
  { action: "memory.written", target: "memory:alice", after: { version: 1 } },
];

let directory = "";
let connection: Connection;
let reading: Connection;
let audit: AuditStore;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "obelus-audit-"));
  const file = join(directory, "a.sqlite");
  connection = openForWriting(file, "normal");
  migrateDatabase(connection);
  reading = openForReading(file);
  audit = createAuditStore(connection, reading, new Writer(connection, new Damage(console), () => undefined));
  for (const action of ACTIONS) await audit.append(action, FROM);
});

afterEach(() => {
  reading.close();
  connection.close();
  rmSync(directory, { recursive: true, force: true });
});

test.each([
  "UPDATE audit SET actor = 'operator:bob' WHERE id = 1",
  "UPDATE audit SET target = 'conversation:d' WHERE id = 1",
  "UPDATE audit SET target = NULL WHERE id = 1",
  "UPDATE audit SET at = at - 1, target = NULL, before = NULL, after = NULL, salt = NULL",
  "DELETE FROM audit WHERE id = 4",
  "INSERT OR REPLACE INTO audit SELECT 1, at, 'signed_in', actor, address, request_id, NULL, NULL, NULL, salt, digest, hash FROM audit WHERE id = 2",
])("Security: the audit is append-only, whoever has its connection: %s", (statement) => {
  expect(() => connection.exec(statement)).toThrow("The audit is append-only");
  expect(verifyAudit(reading)).toEqual({ entries: 4, broken: null });
});

test.each([
  ["changed", "UPDATE audit SET actor = 'operator:bob' WHERE id = 2", 2],
  ["given another value", "UPDATE audit SET after = '{}' WHERE id = 2", 2],
  ["taken out", "DELETE FROM audit WHERE id = 2", 3],
  ["taken from the beginning", "DELETE FROM audit WHERE id = 1", 2],
  ["half erased", "UPDATE audit SET salt = NULL WHERE id = 3", 3],
])("Security: an entry that is %s without the triggers breaks the chain there", (_, statement, broken) => {
  for (const trigger of ["audit_is_kept", "audit_is_not_rewritten", "audit_is_not_replaced"])
    connection.exec(`DROP TRIGGER ${trigger}`);
  connection.exec(statement);
  expect(verifyAudit(connection).broken).toBe(broken);
});

test("Security: an erasure removes everything that names a conversation, and the chain stays valid", async () => {
  expect(eraseAudit(connection, ["conversation:c"])).toBe(2);
  expect(verifyAudit(reading)).toEqual({ entries: 4, broken: null });
  const { items } = await audit.list({ limit: 10 });
  expect(items.map(({ target, erased }) => [target, erased])).toEqual([
    ["memory:alice", false],
    ["conversation:other", false],
    [null, true],
    [null, true],
  ]);
  expect(items[2]).toMatchObject({
    action: "confirmation.decided",
    actor: "operator:console",
    before: null,
    after: null,
  });
  expect(eraseAudit(connection, ["conversation:fork", "memory:alice"])).toBe(2);
  await audit.append({ action: "erasure.finished", target: null }, FROM);
  expect(verifyAudit(reading)).toEqual({ entries: 5, broken: null });
});

test("Security: an empty audit log is valid", () => {
  const file = join(directory, "empty.sqlite");
  const empty = openForWriting(file, "normal");
  migrateDatabase(empty);
  expect(verifyAudit(empty)).toEqual({ entries: 0, broken: null });
  empty.close();
});
