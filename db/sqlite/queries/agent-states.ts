import { type Cursor, type Keyset, readPage } from "../../queries/cursor.ts";
import { and, type Sql, sql } from "../../queries/sql.ts";
import type { AgentStateEntry, AgentStates } from "../../repositories.ts";
import { toIso } from "../../times.ts";
import type { Connection } from "../connection.ts";
import { createHistory } from "./agent-state-history.ts";

type Key = readonly [agentId: string, key: string];

interface EntryRow {
  agent_id: string;
  key: string;
  version: number;
  updated_at: number;
}

/** Agent state (E3), without deleted entries. */
export function createAgentStates(connection: Connection): AgentStates {
  const one = connection.prepare<[string, string], EntryRow & { value: string }>(
    `SELECT agent_id, key, version, updated_at, value FROM agent_state
     WHERE agent_id = ? AND key = ? AND value IS NOT NULL`,
  );
  return {
    async get(agentId, key) {
      const row = one.get(agentId, key);
      return row ? { ...toEntry(row), value: JSON.parse(row.value) } : null;
    },
    async getText(agentId, key) {
      const row = one.get(agentId, key);
      return row ? { version: row.version, text: row.value } : null;
    },
    async list({ agentId, agentPrefix, key, prefix, ...page }) {
      const filter = and(
        sql`value IS NOT NULL`,
        agentId === undefined ? null : sql`agent_id = ${agentId}`,
        // The first condition is where the index scan starts.
        agentPrefix === undefined
          ? null
          : sql`agent_id >= ${agentPrefix} AND substr(agent_id, 1, length(${agentPrefix})) = ${agentPrefix}`,
        key === undefined ? null : sql`key = ${key}`,
        prefix === undefined ? null : sql`substr(key, 1, length(${prefix})) = ${prefix}`,
      );
      return readPage(entries(connection, filter), page);
    },
    ...createHistory(connection),
  };
}

function entries(connection: Connection, filter: Sql): Keyset<Key, AgentStateEntry> {
  return {
    list: ["agent-state"],
    isKey: (parts): parts is Key => parts.length === 2 && parts.every((part) => typeof part === "string"),
    keyOf: (entry) => [entry.agent_id, entry.key],
    read(cursor, limit) {
      const order = cursor?.direction === "prev" ? sql`agent_id DESC, key DESC` : sql`agent_id, key`;
      const { text, values } = sql`SELECT agent_id, key, version, updated_at FROM agent_state
        WHERE ${and(filter, cursor && beyond(cursor))} ORDER BY ${order} LIMIT ${limit}`;
      return connection
        .prepare<unknown[], EntryRow>(text)
        .all(...values)
        .map(toEntry);
    },
  };
}

function beyond({ direction, key: [agentId, key] }: Cursor<Key>): Sql {
  return direction === "prev"
    ? sql`(agent_id, key) < (${agentId}, ${key})`
    : sql`(agent_id, key) > (${agentId}, ${key})`;
}

function toEntry({ agent_id, key, version, updated_at }: EntryRow): AgentStateEntry {
  return { agent_id, key, version, updated_at: toIso(updated_at) };
}
