import { and, asc, desc, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import type { AgentStateEntry, AgentStates } from "../repositories.ts";
import { type Cursor, type Keyset, readPage } from "./cursor.ts";
import { agentState } from "./schema.ts";
import { toIso } from "./times.ts";

type Key = readonly [agentId: string, key: string];

/** What agents keep (E3); deleted entries are not there. */
export function createAgentStates(db: BetterSQLite3Database): AgentStates {
  return {
    async get(agentId, key) {
      const row = db
        .select()
        .from(agentState)
        .where(and(eq(agentState.agentId, agentId), eq(agentState.key, key)))
        .get();
      return row?.value == null ? null : { ...toEntry(row), value: JSON.parse(row.value) };
    },
    async list({ agentId, prefix, ...page }) {
      const filter = and(
        isNotNull(agentState.value),
        agentId === undefined ? undefined : eq(agentState.agentId, agentId),
        prefix === undefined ? undefined : sql`substr(${agentState.key}, 1, length(${prefix})) = ${prefix}`,
      );
      return readPage(entries(db, filter), page);
    },
  };
}

function entries(db: BetterSQLite3Database, filter: SQL | undefined): Keyset<Key, AgentStateEntry> {
  return {
    isKey: (parts): parts is Key => parts.length === 2 && parts.every((part) => typeof part === "string"),
    keyOf: (entry) => [entry.agent_id, entry.key],
    read(cursor, limit) {
      const order = cursor?.direction === "prev" ? desc : asc;
      return db
        .select({ agentId: agentState.agentId, key: agentState.key, version: agentState.version, updatedAt: agentState.updatedAt })
        .from(agentState)
        .where(and(filter, beyond(cursor)))
        .orderBy(order(agentState.agentId), order(agentState.key))
        .limit(limit)
        .all()
        .map(toEntry);
    },
  };
}

function beyond(cursor: Cursor<Key> | null): SQL | undefined {
  if (!cursor) return undefined;
  const [agentId, key] = cursor.key;
  const row = sql`(${agentState.agentId}, ${agentState.key})`;
  return cursor.direction === "prev" ? sql`${row} < (${agentId}, ${key})` : sql`${row} > (${agentId}, ${key})`;
}

function toEntry(row: Omit<typeof agentState.$inferSelect, "value">): AgentStateEntry {
  return { agent_id: row.agentId, key: row.key, version: row.version, updated_at: toIso(row.updatedAt) };
}
