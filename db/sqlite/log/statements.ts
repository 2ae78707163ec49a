import { EVENT_COLUMNS, type EventRow } from "../../log/event-row.ts";
import { IMPORT, IS_SEEN } from "../../log/unfinished.ts";
import type {
  AgentStateRow,
  AgentStateVersionValues,
  AlertValues,
  AskedConfirmation,
  ConfirmationDecision,
  ConfirmationPlace,
  ConfirmationValues,
  ConversationValues,
  KnownEventPlace,
  MessageValues,
  RunOwnerRow,
  UseOfApproval,
  Writes,
} from "../../log/writes.ts";
import { BOOKMARK_COLUMNS, type BookmarkRow } from "../../queries/bookmark-row.ts";
import { CONFIRMATION_COLUMNS } from "../../queries/confirmation-row.ts";
import { NOTE_COLUMNS, type NoteValues } from "../../queries/note-row.ts";
import { QUEUE_COLUMNS, type QueueRow, type QueueValues, saveQueueWith } from "../../queries/queue-row.ts";
import { type ScoreValues, saveScoreWith } from "../../queries/score-row.ts";
import { MARK_DUE } from "../../rollup/due-scores.ts";
import type { Connection } from "../connection.ts";
import { positionsOf, prepareInserts } from "../events-by-id.ts";

/**
 * The writer's prepared statements. Plain SQL, because they run for each event: with the query builder a batch takes
 * more than twice as long.
 */
export function prepareWrites(connection: Connection): Writes {
  const eventById = connection.prepare<[{ id: string }], KnownEventPlace>(
    `SELECT conversation_id, seq, position FROM events WHERE position IN (${positionsOf((id) => `${id} = :id`, ":id")})`,
  );
  return {
    begin: connection.prepare("BEGIN IMMEDIATE"),
    commit: connection.prepare("COMMIT"),
    rollback: connection.prepare("ROLLBACK"),
    savepoint: connection.prepare("SAVEPOINT request"),
    release: connection.prepare("RELEASE request"),
    rollbackTo: connection.prepare("ROLLBACK TO request"),
    inTransaction: () => connection.inTransaction,
    head: connection
      .prepare<[], number>(`SELECT position FROM events WHERE ${IS_SEEN} ORDER BY position DESC LIMIT 1`)
      .pluck(),
    last: connection.prepare<[], number | null>("SELECT max(position) FROM events").pluck(),
    lowest: connection
      .prepare<[], number | null>(
        `SELECT min(position) FROM (SELECT min(position) AS position FROM events
           UNION ALL SELECT min(position) AS position FROM unfinished_forks)`,
      )
      .pluck(),
    lastSeq: connection
      .prepare<[string], number | null>("SELECT max(seq) FROM events WHERE conversation_id = ?")
      .pluck(),
    beginFork: connection.prepare<[conversation_id: string, position: number]>(
      "INSERT INTO unfinished_forks (conversation_id, position) VALUES (?, ?)",
    ),
    endFork: connection.prepare<[string]>("DELETE FROM unfinished_forks WHERE conversation_id = ?"),
    stagedFrom: connection
      .prepare<[], number>(`SELECT position FROM unfinished_forks WHERE conversation_id = '${IMPORT}'`)
      .pluck(),
    ownsImport: connection.prepare<[], 1>(`SELECT 1 FROM unfinished_forks WHERE conversation_id = '${IMPORT}'`).pluck(),
    ownsFork: connection.prepare<[string], 1>("SELECT 1 FROM unfinished_forks WHERE conversation_id = ?").pluck(),
    firstPosition: connection
      .prepare<[string], number>("SELECT position FROM events WHERE conversation_id = ? AND seq = 1")
      .pluck(),
    eventAt: connection.prepare<[number], EventRow>(`SELECT ${EVENT_COLUMNS} FROM events WHERE position = ?`),
    removeStagedMessages: connection.prepare<[from: number]>("DELETE FROM messages WHERE position >= ?"),
    removeStagedEvents: connection.prepare<[from: number]>("DELETE FROM events WHERE position >= ?"),
    removeMessages: connection.prepare<[conversation_id: string, after: number]>(
      "DELETE FROM messages WHERE conversation_id = ? AND seq > ?",
    ),
    removeSnapshots: connection.prepare<[conversation_id: string, after: number]>(
      "DELETE FROM snapshots WHERE conversation_id = ? AND seq > ?",
    ),
    removeTimelineChunks: connection.prepare<[conversation_id: string, after: number]>(
      "DELETE FROM timeline_chunks WHERE conversation_id = ? AND seq > ?",
    ),
    removeEvents: connection.prepare<[conversation_id: string, after: number]>(
      "DELETE FROM events WHERE conversation_id = ? AND seq > ?",
    ),
    insertEvent: prepareInserts(connection).one,
    eventById: { get: (id) => eventById.get({ id }) },
    isOwnRun: connection
      .prepare<[string], 1>("SELECT 1 FROM events WHERE run_id = ? AND type = 'run.started' AND origin = 'engine'")
      .pluck(),
    runOwner: connection.prepare<[string], RunOwnerRow>(
      "SELECT key, fence, decided, ready FROM run_owners WHERE run_id = ?",
    ),
    saveRunOwner: connection.prepare<[string, string, number, number, number]>(
      "INSERT OR REPLACE INTO run_owners (run_id, key, fence, decided, ready) VALUES (?, ?, ?, ?, ?)",
    ),
    insertMessage: connection.prepare<MessageValues>(
      `INSERT INTO messages (position, conversation_id, seq, id, role, name, tool_call_id, run_id, created_at, metadata, content)
       VALUES (${marks(11)})`,
    ),
    conversation: connection.prepare<[string], { position: number; summary: string }>(
      "SELECT position, summary FROM conversations WHERE id = ?",
    ),
    saveConversation: connection.prepare<ConversationValues>(
      `INSERT INTO conversations (position, id, title, status, channel, stage, agent_id, updated_at, summary, forked_from)
       VALUES (${marks(10)})
       ON CONFLICT (position) DO UPDATE SET title = excluded.title, status = excluded.status, channel = excluded.channel,
         stage = excluded.stage, agent_id = excluded.agent_id, updated_at = excluded.updated_at, summary = excluded.summary,
         forked_from = excluded.forked_from`,
    ),
    agentState: connection.prepare<[string, string], AgentStateRow>(
      "SELECT value, version, updated_at FROM agent_state WHERE agent_id = ? AND key = ?",
    ),
    saveAgentState: connection.prepare<[string, string, string | null, number, number]>(
      `INSERT INTO agent_state (agent_id, key, value, version, updated_at) VALUES (${marks(5)})
       ON CONFLICT (agent_id, key) DO UPDATE SET value = excluded.value, version = excluded.version, updated_at = excluded.updated_at`,
    ),
    noteAgentState: connection.prepare<AgentStateVersionValues>(
      `INSERT INTO agent_state_versions (agent_id, key, version, position) VALUES (${marks(4)})`,
    ),
    forgetConfirmation: connection.prepare<ConfirmationPlace>(
      "DELETE FROM confirmations WHERE id = ? AND conversation_id = ? AND own = ?",
    ),
    insertConfirmation: connection.prepare<ConfirmationValues>(
      `INSERT INTO confirmations (status, position, id, conversation_id, own, run_id, call_id, iteration, instance, key,
         cause, action_key, requested_seq, requested_at, description, action, before, approvals)
       VALUES ('requested', ${marks(17)}) ON CONFLICT (id) DO NOTHING`,
    ),
    decideConfirmation: connection.prepare<ConfirmationDecision>(
      `UPDATE confirmations SET status = ?, reason = ?, decided_seq = ?, decided_at = ?, decided_by = ?, used = ?,
         action = coalesce(?, action), action_key = coalesce(?, action_key)
       WHERE id = ? AND conversation_id = ? AND own = ? AND status = 'requested'`,
    ),
    approveInPart: connection.prepare<[approvals: string, ...ConfirmationPlace]>(
      "UPDATE confirmations SET approvals = ? WHERE id = ? AND conversation_id = ? AND own = ? AND status = 'requested'",
    ),
    confirmation: connection.prepare<[string], AskedConfirmation>(
      `SELECT ${CONFIRMATION_COLUMNS}, (SELECT events.id FROM events WHERE events.position = confirmations.position) AS requested_by
       FROM confirmations WHERE id = ?`,
    ),
    isOwnConfirmation: connection.prepare<[string], unknown>("SELECT 1 FROM confirmations WHERE id = ? AND own = 1"),
    useApproval: connection.prepare<[used: number, ...ConfirmationPlace]>(
      `UPDATE confirmations SET used = ?
       WHERE id = ? AND conversation_id = ? AND own = ? AND status = 'approved' AND used IS NULL`,
    ),
    useOfApproval: connection.prepare<[string], UseOfApproval>(
      `SELECT events.run_id, events.iteration, events.instance, events.call_id
       FROM confirmations JOIN events ON events.position = confirmations.used WHERE confirmations.id = ?`,
    ),
    insertAlert: connection.prepare<AlertValues>(
      `INSERT INTO alerts (position, id, conversation_id, seq, run_id, created_at, reason, text) VALUES (${marks(8)})`,
    ),
    closeAlerts: connection.prepare<[at: number, by: string | null, conversation_id: string]>(
      "UPDATE alerts SET closed_at = ?, closed_by = ? WHERE conversation_id = ? AND closed_at IS NULL",
    ),
    addUsage: connection.prepare<[day: string, agent: string, model: string, input: number, output: number]>(
      `INSERT INTO agent_usage (day, agent_id, model, input_tokens, output_tokens) VALUES (${marks(5)})
       ON CONFLICT (day, agent_id, model) DO UPDATE SET input_tokens = input_tokens + excluded.input_tokens,
         output_tokens = output_tokens + excluded.output_tokens`,
    ),
    forkedBy: connection
      .prepare<[conversation_id: string], string | null>(
        `SELECT origin FROM events WHERE conversation_id = ? AND type = 'conversation.created'
           AND payload ->> '$.forked_from' IS NOT NULL ORDER BY seq DESC LIMIT 1`,
      )
      .pluck(),
    insertSearched: connection.prepare<[place: bigint, text: string]>(
      "INSERT INTO event_search (rowid, text) VALUES (?, ?)",
    ),
    saveSearchProgress: connection.prepare<[position: number, history: number]>(
      `INSERT INTO search_progress (id, position, history) VALUES (1, ?, ?)
       ON CONFLICT (id) DO UPDATE SET position = excluded.position, history = excluded.history`,
    ),
    bookmark: connection.prepare<[conversation_id: string, seq: number], BookmarkRow>(
      `SELECT ${BOOKMARK_COLUMNS} FROM bookmarks WHERE conversation_id = ? AND seq = ?`,
    ),
    saveBookmark: connection.prepare<
      [conversation_id: string, seq: number, note: string | null, by: string | null, at: number, set_seq: number]
    >(
      `INSERT INTO bookmarks (conversation_id, seq, note, by, at, set_seq) VALUES (${marks(6)})
       ON CONFLICT (conversation_id, seq) DO UPDATE SET note = excluded.note, by = excluded.by, at = excluded.at,
         set_seq = excluded.set_seq`,
    ),
    removeBookmark: connection.prepare<[conversation_id: string, seq: number]>(
      "DELETE FROM bookmarks WHERE conversation_id = ? AND seq = ?",
    ),
    queued: connection.prepare<[conversation_id: string], QueueRow>(
      `SELECT ${QUEUE_COLUMNS} FROM queue WHERE conversation_id = ?`,
    ),
    saveQueued: connection.prepare<QueueValues>(saveQueueWith(marks(6))),
    saveNote: connection.prepare<NoteValues>(
      `INSERT INTO notes (conversation_id, ${NOTE_COLUMNS}) VALUES (${marks(10)})`,
    ),
    removeNote: connection.prepare<[conversation_id: string, id: string]>(
      "DELETE FROM notes WHERE conversation_id = ? AND id = ?",
    ),
    notifyMentions: connection.prepare<[subject: string, due_at: number]>(
      "INSERT INTO notices (subject, channel, number, due_at) SELECT ?, channel, 0, ? FROM notice_places WHERE true ON CONFLICT DO NOTHING",
    ),
    saveScore: connection.prepare<ScoreValues>(saveScoreWith(marks(13))),
    markScored: connection.prepare<[conversation_id: string]>(MARK_DUE),
    removeScore: connection.prepare<[conversation_id: string, id: string]>(
      "DELETE FROM scores WHERE conversation_id = ? AND id = ?",
    ),
    keepScore: connection.prepare<[id: string, target: string, received_at: number, content: string]>(
      `INSERT INTO waiting_scores (id, target, received_at, content) VALUES (${marks(4)}) ON CONFLICT (id) DO NOTHING`,
    ),
    dropKeptScore: connection.prepare<[id: string]>("DELETE FROM waiting_scores WHERE id = ?"),
    saveSnapshot: connection.prepare<[string, number, number, Uint8Array]>(
      `INSERT INTO snapshots (conversation_id, seq, reducer_version, session) VALUES (${marks(4)})
       ON CONFLICT (conversation_id, seq) DO UPDATE SET reducer_version = excluded.reducer_version, session = excluded.session`,
    ),
    saveTimelineChunk: connection.prepare<[string, number, number, string, string, Uint8Array]>(
      `INSERT INTO timeline_chunks (conversation_id, seq, version, holds, buckets, standing) VALUES (${marks(6)})
       ON CONFLICT (conversation_id, seq) DO UPDATE SET version = excluded.version, holds = excluded.holds,
         buckets = excluded.buckets, standing = excluded.standing`,
    ),
  };
}

function marks(count: number): string {
  return Array(count).fill("?").join(", ");
}
