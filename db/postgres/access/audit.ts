import { type AuditRow, newEntry, toEntry } from "../../access/audit-entry.ts";
import type { AuditQuery, AuditStore } from "../../access.ts";
import { type RemoteKeyset, readRemotePage } from "../../queries/cursor.ts";
import { and, sql } from "../../queries/sql.ts";
import { toMs } from "../../times.ts";
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
      const { items, next, prev } = await readRemotePage(newestFirst(database, query), query);
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

function newestFirst(queries: Queries, query: AuditQuery): RemoteKeyset<readonly [number], AuditRow> {
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
      return select(
        queries,
        sql`SELECT ${COLUMNS} FROM audit WHERE ${and(filter, beyond)} ORDER BY ${order} LIMIT ${limit}`,
      );
    },
  };
}
