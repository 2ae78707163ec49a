import { isNumberKey, type Keyset, readPage } from "../../queries/cursor.ts";
import { type Sql, sql } from "../../queries/sql.ts";
import type { AgentStates, AgentStateVersion } from "../../repositories.ts";
import { toIso } from "../../times.ts";
import type { Connection } from "../connection.ts";

interface VersionRow extends Omit<AgentStateVersion, "at" | "deleted"> {
  at: number;
  deleted: 0 | 1;
}

const VERSION = `agent_state_versions.version, coalesce(written.occurred_at, written.recorded_at) AS at, written.actor,
  written.caused_by, coalesce(written.conversation_id, cause.conversation_id) AS conversation_id, written.position,
  written.type = 'agent_state.deleted' AS deleted`;

const FROM = `agent_state_versions
  JOIN events AS written ON written.position = agent_state_versions.position
  LEFT JOIN events AS cause ON cause.id = written.caused_by`;

/** The versions of entries, read from the events that wrote them (C8). */
export function createHistory(connection: Connection): Pick<AgentStates, "history" | "version"> {
  const one = connection.prepare<[string, string, number], VersionRow & { payload: string }>(
    `SELECT ${VERSION}, written.payload FROM ${FROM} WHERE agent_state_versions.agent_id = ? AND key = ? AND version = ?`,
  );
  return {
    async history(agentId, key, page) {
      return readPage(newestFirst(connection, agentId, key), page);
    },
    async version(agentId, key, version) {
      const row = one.get(agentId, key, version);
      if (!row) return null;
      const { payload, ...told } = row;
      return { ...toVersion(told), value: told.deleted === 1 ? undefined : JSON.parse(payload).value };
    },
  };
}

function newestFirst(
  connection: Connection,
  agentId: string,
  key: string,
): Keyset<readonly [number], AgentStateVersion> {
  return {
    list: ["agent-state-history", agentId, key],
    isKey: isNumberKey,
    keyOf: ({ version }) => [version],
    read(cursor, limit) {
      const back = cursor?.direction === "prev";
      const [version = Number.MAX_SAFE_INTEGER] = cursor?.key ?? [];
      const beyond = back ? sql`version > ${version}` : sql`version < ${version}`;
      const { text, values } =
        sql`SELECT ${SELECTED} WHERE agent_state_versions.agent_id = ${agentId} AND key = ${key} AND ${beyond}
        ORDER BY ${back ? sql`version` : sql`version DESC`} LIMIT ${limit}`;
      return connection
        .prepare<unknown[], VersionRow>(text)
        .all(...values)
        .map(toVersion);
    },
  };
}

const SELECTED: Sql = { text: `${VERSION} FROM ${FROM}`, values: [] };

function toVersion({ at, deleted, ...row }: VersionRow): AgentStateVersion {
  return { ...row, at: toIso(at), deleted: deleted === 1 };
}
