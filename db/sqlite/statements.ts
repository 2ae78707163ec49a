import type { Connection } from "./connection.ts";

type Nullable<T> = T | null;

/** The values of a new `events` row, in the order of its columns. */
export type EventValues = [
  position: number,
  id: string,
  conversation_id: Nullable<string>,
  seq: number,
  type: string,
  actor: Nullable<string>,
  agent_id: Nullable<string>,
  run_id: Nullable<string>,
  parent_run_id: Nullable<string>,
  caused_by: Nullable<string>,
  call_id: Nullable<string>,
  iteration: Nullable<number>,
  instance: Nullable<string>,
  tool: Nullable<string>,
  error: number,
  occurred_at: Nullable<number>,
  recorded_at: number,
  payload: string,
];

/** The values of a new `messages` row, in the order of its columns. */
export type MessageValues = [
  position: number,
  conversation_id: string,
  seq: number,
  id: string,
  role: string,
  name: Nullable<string>,
  tool_call_id: Nullable<string>,
  run_id: Nullable<string>,
  created_at: Nullable<number>,
  metadata: Nullable<string>,
  content: string,
];

/** The values of a `conversations` row, in the order of its columns. */
export type ConversationValues = [
  position: number,
  id: string,
  title: Nullable<string>,
  status: string,
  channel: Nullable<string>,
  stage: Nullable<string>,
  agent_id: Nullable<string>,
  updated_at: number,
  summary: string,
];

/** An entry of `agent_state` as the writer needs it; `value` is null when it was deleted. */
export interface AgentStateRow {
  value: string | null;
  version: number;
  updated_at: number;
}

/**
 * Everything the writer says to SQLite, prepared once. Plain SQL, because these run once an event: through the query
 * builder a batch takes more than twice as long.
 */
export function prepareWrites(connection: Connection) {
  return {
    begin: connection.prepare("BEGIN IMMEDIATE"),
    commit: connection.prepare("COMMIT"),
    rollback: connection.prepare("ROLLBACK"),
    savepoint: connection.prepare("SAVEPOINT request"),
    release: connection.prepare("RELEASE request"),
    rollbackTo: connection.prepare("ROLLBACK TO request"),
    inTransaction: () => connection.inTransaction,
    head: connection.prepare<[], number | null>("SELECT max(position) FROM events").pluck(),
    insertEvent: connection.prepare<EventValues>(
      `INSERT INTO events (position, id, conversation_id, seq, type, actor, agent_id, run_id, parent_run_id, caused_by,
         call_id, iteration, instance, tool, error, occurred_at, recorded_at, payload)
       VALUES (${marks(18)}) ON CONFLICT (id) DO NOTHING`,
    ),
    eventById: connection.prepare<[string], { conversation_id: string | null; seq: number; position: number }>(
      "SELECT conversation_id, seq, position FROM events WHERE id = ?",
    ),
    insertMessage: connection.prepare<MessageValues>(
      `INSERT INTO messages (position, conversation_id, seq, id, role, name, tool_call_id, run_id, created_at, metadata, content)
       VALUES (${marks(11)})`,
    ),
    conversation: connection.prepare<[string], { position: number; summary: string }>(
      "SELECT position, summary FROM conversations WHERE id = ?",
    ),
    saveConversation: connection.prepare<ConversationValues>(
      `INSERT INTO conversations (position, id, title, status, channel, stage, agent_id, updated_at, summary)
       VALUES (${marks(9)})
       ON CONFLICT (position) DO UPDATE SET title = excluded.title, status = excluded.status, channel = excluded.channel,
         stage = excluded.stage, agent_id = excluded.agent_id, updated_at = excluded.updated_at, summary = excluded.summary`,
    ),
    agentState: connection.prepare<[string, string], AgentStateRow>(
      "SELECT value, version, updated_at FROM agent_state WHERE agent_id = ? AND key = ?",
    ),
    saveAgentState: connection.prepare<[string, string, string | null, number, number]>(
      `INSERT INTO agent_state (agent_id, key, value, version, updated_at) VALUES (${marks(5)})
       ON CONFLICT (agent_id, key) DO UPDATE SET value = excluded.value, version = excluded.version, updated_at = excluded.updated_at`,
    ),
    saveSnapshot: connection.prepare<[string, number, number, Uint8Array]>(
      `INSERT INTO snapshots (conversation_id, seq, reducer_version, session) VALUES (${marks(4)})
       ON CONFLICT (conversation_id, seq) DO UPDATE SET reducer_version = excluded.reducer_version, session = excluded.session`,
    ),
  };
}

export type Writes = ReturnType<typeof prepareWrites>;

function marks(count: number): string {
  return Array(count).fill("?").join(", ");
}
