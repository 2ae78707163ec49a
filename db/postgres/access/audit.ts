import { type AuditRow, newEntry, toEntry } from "../../access/audit-entry.ts";
import { newestFirst } from "../../access/audit-list.ts";
import type { AuditStore } from "../../access.ts";
import { readRemotePage } from "../../queries/cursor.ts";
import { sql } from "../../queries/sql.ts";
import type { Queries } from "../database.ts";
import type { PostgresWriter } from "../log/writer.ts";
import { jsonIn } from "../queries/json-text.ts";
import { raw, select } from "../queries/select.ts";

/** Each by its name: a newer version may add some, and a prepared statement must not give other columns than before. */
const COLUMNS = raw("id, at, action, actor, address, request_id, target, before, after, salt, digest, hash");

/** From one to the next by the index: entries are many, those who act are few. */
const ACTORS = `WITH RECURSIVE each (actor) AS (
    SELECT min(actor) FROM audit
    UNION ALL SELECT (SELECT min(actor) FROM audit WHERE audit.actor > each.actor) FROM each WHERE each.actor IS NOT NULL)
  SELECT actor FROM each WHERE actor IS NOT NULL`;

/** The audit; each entry has the hash of the one before it, so that a change of any breaks the chain. */
export function createAuditStore(database: Queries, writer: PostgresWriter): AuditStore {
  return {
    append: (deed, requester) =>
      writer.submitDirect(async (queries, { recordedAt }) => {
        const [newest] = await queries.rows<{ id: number; hash: string }>(
          "SELECT id, hash FROM audit ORDER BY id DESC LIMIT 1",
        );
        const entry = newEntry(deed, requester, { recordedAt, before: newest?.hash ?? "" });
        await queries.run(
          `INSERT INTO audit (${COLUMNS.text})
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
          [(newest?.id ?? 0) + 1, ...Object.values(entry)],
        );
      }),
    async list(query) {
      const rows = newestFirst(query, (which) =>
        select<AuditRow>(database, sql`SELECT ${COLUMNS} FROM audit WHERE ${which}`),
      );
      const { items, next, prev } = await readRemotePage(rows, query);
      return { items: items.map(toEntry), next, prev };
    },
    actors: async () => (await database.rows<{ actor: string }>(ACTORS)).map(({ actor }) => actor),
  };
}

/**
 * Erases the values of entries with these targets (`conversation:c-1`, `memory:alice`), and of all entries within
 * conversations among them. Action, actor and time stay.
 */
export async function eraseAudit(queries: Queries, targets: readonly string[]): Promise<void> {
  await queries.run(
    `UPDATE audit SET target = NULL, before = NULL, after = NULL, salt = NULL
     WHERE salt IS NOT NULL AND (target = ANY($1) OR 
       'conversation:' || (${jsonIn("after")} ->> 'conversation_id') = ANY($1))`,
    [targets],
  );
}
