import type { AuditQuery } from "../access.ts";
import { type Cursor, isNumberKey } from "../queries/cursor.ts";
import { and, type Sql, sql } from "../queries/sql.ts";
import { toMs } from "../times.ts";
import type { AuditRow } from "./audit-entry.ts";

/** The audit, newest entry first; `read` reads the rows of a condition with an order and a limit. */
export function newestFirst<Rows>(query: AuditQuery, read: (which: Sql) => Rows) {
  const filter = and(
    query.action === undefined ? null : sql`action = ${query.action}`,
    query.actor === undefined ? null : sql`actor = ${query.actor}`,
    query.target === undefined ? null : sql`target = ${query.target}`,
    query.from === undefined ? null : sql`at >= ${toMs(query.from)}`,
    query.to === undefined ? null : sql`at < ${toMs(query.to)}`,
  );
  return {
    list: ["audit"],
    isKey: isNumberKey,
    keyOf: (row: AuditRow) => [row.id] as const,
    read(cursor: Cursor<readonly [number]> | null, limit: number): Rows {
      const back = cursor?.direction === "prev";
      const [id] = cursor?.key ?? [Number.MAX_SAFE_INTEGER];
      const beyond = back ? sql`id > ${id}` : sql`id < ${id}`;
      return read(sql`${and(filter, beyond)} ORDER BY ${back ? sql`id` : sql`id DESC`} LIMIT ${limit}`);
    },
  };
}
