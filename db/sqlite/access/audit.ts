import { type AuditRow, chainedHash, holds, newEntry, toEntry } from "../../access/audit-entry.ts";
import type { AuditQuery, AuditStore } from "../../access.ts";
import { type Keyset, readPage } from "../../queries/cursor.ts";
import { and, type Sql, sql } from "../../queries/sql.ts";
import { toMs } from "../../times.ts";
import type { Connection } from "../connection.ts";
import type { Writer } from "../log/writer.ts";

/** The audit in SQLite; each entry has the hash of the one before it, so that a change of any breaks the chain. */
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
      const { items, next, prev } = readPage(newestFirst(reading, query), query);
      return { items: items.map(toEntry), next, prev };
    },
    async actors() {
      const actors: string[] = [];
      // From one to the next by the index: entries are many, those who act are few.
      for (let actor = nextActor.get(""); actor; actor = nextActor.get(actor)) actors.push(actor);
      return actors;
    },
  };
}

/** How the audit stands: how many entries there are, and the first whose hash is not what it has to be. */
interface AuditVerification {
  entries: number;
  broken: number | null;
}

/**
 * Checks the chain from its first entry on. An entry that was changed, left out or put in breaks it; one that an erasure
 * took the values of does not. Entries that are missing at its end leave no trace here.
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

/** Whether an entry's values are those of its digest, or were taken away altogether. */
/**
 * Takes away what entries say of these targets (`conversation:c-1`, `memory:alice`), and what they say of anything else in a
 * conversation among them; tells how many it were. What was done, by whom and when stays. For a transaction of the writer's.
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

function newestFirst(connection: Connection, query: AuditQuery): Keyset<readonly [number], AuditRow> {
  const filter = and(
    query.action === undefined ? null : sql`action = ${query.action}`,
    query.actor === undefined ? null : sql`actor = ${query.actor}`,
    query.target === undefined ? null : sql`target = ${query.target}`,
    query.from === undefined ? null : sql`at >= ${toMs(query.from)}`,
    query.to === undefined ? null : sql`at < ${toMs(query.to)}`,
  );
  return {
    isKey: (parts): parts is readonly [number] => parts.length === 1 && Number.isSafeInteger(parts[0]),
    keyOf: (row) => [row.id],
    read(cursor, limit) {
      const back = cursor?.direction === "prev";
      const [id] = cursor?.key ?? [Number.MAX_SAFE_INTEGER];
      const beyond = back ? sql`id > ${id}` : sql`id < ${id}`;
      const order = back ? sql`id` : sql`id DESC`;
      return readRows(connection, sql`${and(filter, beyond)} ORDER BY ${order} LIMIT ${limit}`);
    },
  };
}

function readRows(connection: Connection, which: Sql): AuditRow[] {
  const { text, values } = sql`SELECT * FROM audit WHERE ${which}`;
  return connection.prepare<unknown[], AuditRow>(text).all(...values);
}
