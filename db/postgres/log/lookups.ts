import { EVENT_COLUMNS } from "../../log/event-row.ts";
import { BOOKMARK_COLUMNS } from "../../queries/bookmark-row.ts";
import { CONFIRMATION_COLUMNS } from "../../queries/confirmation-row.ts";
import { QUEUE_COLUMNS } from "../../queries/queue-row.ts";
import { jsonIn } from "../queries/json-text.ts";
import type { Lookup } from "./known-rows.ts";

const one = (sql: string): Lookup => ({ sql, parts: 1 });

/** Everything that a transaction may have to know before it decides, by key. */
export const LOOKUPS = {
  events: one("SELECT id AS lookup_key, conversation_id, seq, position FROM events WHERE id = ANY($1)"),
  eventsAt: one(
    `SELECT position::text AS lookup_key, ${EVENT_COLUMNS} FROM events WHERE position = ANY($1::text[]::bigint[])`,
  ),
  conversations: one("SELECT id AS lookup_key, position, summary FROM conversations WHERE id = ANY($1)"),
  ownRuns: one(
    `SELECT DISTINCT run_id AS lookup_key FROM events
     WHERE run_id = ANY($1) AND type = 'run.started' AND origin = 'engine'`,
  ),
  runOwners: one("SELECT run_id AS lookup_key, key, fence, decided, ready FROM run_owners WHERE run_id = ANY($1)"),
  lastSeqs: one(
    `SELECT id AS lookup_key, (SELECT max(seq) FROM events WHERE conversation_id = id) AS seq
     FROM unnest($1::text[]) AS id`,
  ),
  firstPositions: one(
    `SELECT conversation_id AS lookup_key, position FROM events WHERE conversation_id = ANY($1) AND seq = 1`,
  ),
  // Of the whole log: the key tells which.
  extremes: one(
    `SELECT which AS lookup_key, CASE which
       WHEN 'last' THEN (SELECT max(position) FROM events)
       ELSE least((SELECT min(position) FROM events), (SELECT min(position) FROM unfinished_forks)) END AS position
     FROM unnest($1::text[]) AS which`,
  ),
  agentState: {
    sql: `SELECT lookup_key, value, version, updated_at
      FROM unnest($1::text[], $2::text[], $3::text[]) AS wanted (lookup_key, agent_id, key)
        JOIN agent_state USING (agent_id, key)`,
    parts: 2,
  },
  confirmations: one(
    `SELECT confirmations.id AS lookup_key, ${CONFIRMATION_COLUMNS}, action_key, used, events.id AS requested_by
     FROM confirmations JOIN events ON events.position = confirmations.position WHERE confirmations.id = ANY($1)`,
  ),
  usesOfApprovals: one(
    `SELECT confirmations.id AS lookup_key, events.run_id, events.iteration, events.instance, events.call_id
     FROM confirmations JOIN events ON events.position = confirmations.used WHERE confirmations.id = ANY($1)`,
  ),
  forksMadeBy: one(
    `SELECT DISTINCT ON (conversation_id) conversation_id AS lookup_key, origin FROM events
     WHERE conversation_id = ANY($1) AND type = 'conversation.created' AND ${jsonIn("payload")} ->> 'forked_from' IS NOT NULL
     ORDER BY conversation_id, seq DESC`,
  ),
  closedConversations: one(
    "SELECT DISTINCT conversation_id AS lookup_key FROM closed_conversations WHERE conversation_id = ANY($1)",
  ),
  erasedConversations: one("SELECT name AS lookup_key, epoch FROM erased_conversations WHERE name = ANY($1)"),
  // Locked, so that no other replica takes the trace over before the commit.
  spanClaims: one("SELECT trace_id AS lookup_key, owner FROM span_claims WHERE trace_id = ANY($1) FOR UPDATE"),
  unfinishedForks: one(
    "SELECT conversation_id AS lookup_key, owner FROM unfinished_forks WHERE conversation_id = ANY($1)",
  ),
  queue: one(`SELECT conversation_id AS lookup_key, ${QUEUE_COLUMNS} FROM queue WHERE conversation_id = ANY($1)`),
  bookmarks: {
    sql: `SELECT lookup_key, ${BOOKMARK_COLUMNS}
      FROM unnest($1::text[], $2::text[], $3::bigint[]) AS wanted (lookup_key, conversation_id, seq)
        JOIN bookmarks USING (conversation_id, seq)`,
    parts: 2,
  },
} as const satisfies Record<string, Lookup>;
