import { type Cursor, isNumberKey, type RemoteKeyset, readRemotePage } from "../../queries/cursor.ts";
import { and, type Sql, sql } from "../../queries/sql.ts";
import type { AgentStateEntry, AgentStates, AgentStateVersion } from "../../repositories.ts";
import { toIso } from "../../times.ts";
import type { Queries } from "../database.ts";
import { raw, select } from "./select.ts";

type Key = readonly [agentId: string, key: string];

interface EntryRow {
  agent_id: string;
  key: string;
  version: number;
  updated_at: number;
}

interface VersionRow extends Omit<AgentStateVersion, "at"> {
  at: number;
}

const ONE = `SELECT agent_id, key, version, updated_at, value FROM agent_state
  WHERE agent_id = $1 AND key = $2 AND value IS NOT NULL`;

const VERSION = `agent_state_versions.version, coalesce(written.occurred_at, written.recorded_at) AS at, written.actor,
  written.caused_by, coalesce(written.conversation_id, cause.conversation_id) AS conversation_id, written.position,
  written.type = 'agent_state.deleted' AS deleted`;

const VERSIONS = `agent_state_versions
  JOIN events AS written ON written.position = agent_state_versions.position
  LEFT JOIN events AS cause ON cause.id = written.caused_by`;

/** What agents keep (E3), and the versions that it had (C8); deleted entries are not there. */
export function createAgentStates(queries: Queries): AgentStates {
  const read = async (agentId: string, key: string) =>
    (await queries.rows<EntryRow & { value: string }>(ONE, [agentId, key])).at(0);
  return {
    async get(agentId, key) {
      const row = await read(agentId, key);
      return row ? { ...toEntry(row), value: JSON.parse(row.value) } : null;
    },
    async getText(agentId, key) {
      const row = await read(agentId, key);
      return row ? { version: row.version, text: row.value } : null;
    },
    list({ agentId, agentPrefix, key, prefix, ...page }) {
      const filter = and(
        sql`value IS NOT NULL`,
        agentId === undefined ? null : sql`agent_id = ${agentId}`,
        // The first condition is where the index can begin.
        agentPrefix === undefined ? null : sql`agent_id >= ${agentPrefix} AND starts_with(agent_id, ${agentPrefix})`,
        key === undefined ? null : sql`key = ${key}`,
        prefix === undefined ? null : sql`starts_with(key, ${prefix})`,
      );
      return readRemotePage(entries(queries, filter), page);
    },
    history: (agentId, key, page) => readRemotePage(newestFirst(queries, agentId, key), page),
    async version(agentId, key, version) {
      const [row] = await queries.rows<VersionRow & { payload: string }>(
        `SELECT ${VERSION}, written.payload FROM ${VERSIONS}
         WHERE agent_state_versions.agent_id = $1 AND key = $2 AND version = $3`,
        [agentId, key, version],
      );
      if (!row) return null;
      const { payload, ...told } = row;
      return { ...toVersion(told), value: told.deleted ? undefined : JSON.parse(payload).value };
    },
  };
}

function entries(queries: Queries, filter: Sql): RemoteKeyset<Key, AgentStateEntry> {
  return {
    list: ["agent-state"],
    isKey: (parts): parts is Key => parts.length === 2 && parts.every((part) => typeof part === "string"),
    keyOf: (entry) => [entry.agent_id, entry.key],
    async read(cursor, limit) {
      const order = cursor?.direction === "prev" ? sql`agent_id DESC, key DESC` : sql`agent_id, key`;
      const rows = await select<EntryRow>(
        queries,
        sql`SELECT agent_id, key, version, updated_at FROM agent_state
          WHERE ${and(filter, cursor && beyond(cursor))} ORDER BY ${order} LIMIT ${limit}`,
      );
      return rows.map(toEntry);
    },
  };
}

function beyond({ direction, key: [agentId, key] }: Cursor<Key>): Sql {
  return direction === "prev"
    ? sql`(agent_id, key) < (${agentId}, ${key})`
    : sql`(agent_id, key) > (${agentId}, ${key})`;
}

function newestFirst(
  queries: Queries,
  agentId: string,
  key: string,
): RemoteKeyset<readonly [number], AgentStateVersion> {
  return {
    list: ["agent-state-history", agentId, key],
    isKey: isNumberKey,
    keyOf: ({ version }) => [version],
    async read(cursor, limit) {
      const back = cursor?.direction === "prev";
      const [version = Number.MAX_SAFE_INTEGER] = cursor?.key ?? [];
      const beyond = back ? sql`version > ${version}` : sql`version < ${version}`;
      const rows = await select<VersionRow>(
        queries,
        sql`SELECT ${raw(VERSION)} FROM ${raw(VERSIONS)} WHERE agent_state_versions.agent_id = ${agentId} AND key = ${key} AND ${beyond}
          ORDER BY ${back ? sql`version` : sql`version DESC`} LIMIT ${limit}`,
      );
      return rows.map(toVersion);
    },
  };
}

function toEntry({ agent_id, key, version, updated_at }: EntryRow): AgentStateEntry {
  return { agent_id, key, version, updated_at: toIso(updated_at) };
}

function toVersion({ at, ...row }: VersionRow): AgentStateVersion {
  return { ...row, at: toIso(at) };
}
