import { type AuditRow, chainedHash, holds, newEntry, toEntry } from "../../access/audit-entry.ts";
import { newestFirst } from "../../access/audit-list.ts";
import type { AuditStore } from "../../access.ts";
import { readPage } from "../../queries/cursor.ts";
import { type Sql, sql } from "../../queries/sql.ts";
import type { Connection } from "../connection.ts";
import type { Writer } from "../log/writer.ts";

/** The audit log in SQLite. Each entry includes the hash of the previous one, so that any change breaks the chain. */
export function createAuditStore(writing: Connection, reading: Connection, writer: Writer): AuditStore {
  const newest = writing.prepare<[], string>("SELECT hash FROM audit ORDER BY id DESC LIMIT 1").pluck();
  const insert = writing.prepare(
    `INSERT INTO audit (at, action, actor, address, request_id, target, before, after, salt, digest, hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const nextActor = reading.prepare<[string], string | null>("SELECT min(actor) FROM audit WHERE actor > ?").pluck();
  return {
    append: ({ action, target, before, after }, requester) =>
      writer.submit(({ recordedAt }) => {
        const entry = newEntry({ action, target, before, after }, requester, {
          recordedAt,
          before: newest.get() ?? "",
        });
        insert.run(...Object.values(entry));
      }),
    async list(query) {
      const { items, next, prev } = readPage(
        newestFirst(query, (which) => readRows(reading, which)),
        query,
      );
      return { items: items.map(toEntry), next, prev };
    },
    async actors() {
      const actors: string[] = [];
      // A loose index scan: there are many entries and few actors.
      for (let actor = nextActor.get(""); actor; actor = nextActor.get(actor)) actors.push(actor);
      return actors;
    },
  };
}

/** The result of a verification: the number of entries, and the first with a wrong hash. */
interface AuditVerification {
  entries: number;
  broken: number | null;
}

/**
 * Verifies the chain from its first entry. Changed, missing and inserted entries break it, erased values do not.
 * Entries missing at the end cannot be detected.
 */
export function verifyAudit(connection: Connection): AuditVerification {
  const rows = connection.prepare<[], AuditRow>("SELECT * FROM audit ORDER BY id").iterate();
  let entries = 0;
  let broken: number | null = null;
  let before = "";
  for (const row of rows) {
    entries += 1;
    if (broken === null && !(holds(row) && row.hash === chainedHash(before, row))) broken = row.id;
    before = row.hash;
  }
  return { entries, broken };
}

/**
 * Erases the values of entries with these targets (`conversation:c-1`, `memory:alice`), and of all entries within
 * conversations among them; returns how many. Action, actor and time stay. Must be called in a transaction of the
 * writer.
 */
export function eraseAudit(connection: Connection, targets: readonly string[]): number {
  const erase = connection.prepare(
    `UPDATE audit SET target = NULL, before = NULL, after = NULL, salt = NULL
     WHERE salt IS NOT NULL AND (
       target IN (SELECT value FROM json_each(@targets))
       OR 'conversation:' || (after ->> '$.conversation_id') IN (SELECT value FROM json_each(@targets))
     )`,
  );
  return erase.run({ targets: JSON.stringify(targets) }).changes;
}

function readRows(connection: Connection, which: Sql): AuditRow[] {
  const { text, values } = sql`SELECT * FROM audit WHERE ${which}`;
  return connection.prepare<unknown[], AuditRow>(text).all(...values);
}
