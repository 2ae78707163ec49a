import type { Expiring, RetentionRule } from "../retention.ts";
import { toIso } from "../times.ts";
import { type Sql, sql } from "./sql.ts";

const DAY_MS = 86_400_000;

/** A row of `expiring`. */
export interface ExpiringRow extends Omit<Expiring, "updated_at" | "removed_at"> {
  updated_at: number;
  removed_at: number;
}

/** Conversations due before a time, epoch ms; null if there are no rules. */
export function expiring(rules: readonly RetentionRule[], until: number): Sql | null {
  const named = rules.flatMap(({ channel }) => channel ?? []);
  const isOther = named.reduce((all, channel) => sql`${all} AND channel <> ${channel}`, sql`true`);
  const parts = rules.map(({ channel, days }) => {
    const which = channel === null ? sql`(channel IS NULL OR (${isOther}))` : sql`channel = ${channel}`;
    return sql`SELECT id, title, channel, updated_at, updated_at + ${days * DAY_MS} AS removed_at FROM conversations
      WHERE status IN ('idle', 'failed') AND updated_at < ${until - days * DAY_MS} AND ${which}`;
  });
  const [first, ...others] = parts;
  return first ? others.reduce((all, part) => sql`${all} UNION ALL ${part}`, first) : null;
}

export function toExpiring(row: ExpiringRow): Expiring {
  return { ...row, updated_at: toIso(row.updated_at), removed_at: toIso(row.removed_at) };
}
