import { type ErasureScope, type StateEvent, StateScope, withDescendants } from "../../erasure/erasure-scope.ts";
import type { ErasureKind } from "../../erasures.ts";
import { IS_SEEN } from "../../log/unfinished.ts";
import type { Connection } from "../connection.ts";

/**
 * Finds what an erasure covers. Of a user: their conversations, those in which they have messages, those that only cases have left, and
 * entries under their name. Of a conversation: it, and agent state versions since it first wrote them. Of both: forks and copies.
 */
export function readErasureScope(connection: Connection, kind: ErasureKind, target: string): ErasureScope {
  const roots = kind === "user" ? conversationsOf(connection, target) : [target];
  const conversations = withDescendants(roots, forksOf(connection));
  const scope = new StateScope(kind, target, conversations);
  const outside: number[] = [];
  for (const event of stateEvents(connection)) if (scope.covers(event)) outside.push(event.position);
  return { conversations: [...conversations], outside };
}

function conversationsOf(connection: Connection, user: string): string[] {
  return connection
    .prepare<[{ user: string }], string>(
      `SELECT id FROM conversations WHERE summary ->> '$.user_id' = :user
       UNION SELECT conversation_id FROM events WHERE conversation_id IS NOT NULL AND ${IS_SEEN} AND (
         actor = 'user:' || :user OR (type IN ('conversation.created', 'run.started', 'memory.updated')
           AND payload ->> '$.user_id' = :user))
       UNION SELECT conversation_id FROM suite_cases WHERE EXISTS (SELECT 1 FROM json_each(users) WHERE value = :user)`,
    )
    .pluck()
    .all({ user });
}

function forksOf(connection: Connection): { parent: string; id: string }[] {
  return connection
    .prepare<[], { parent: string; id: string }>(
      `SELECT forked_from AS parent, id FROM conversations WHERE forked_from IS NOT NULL
       UNION ALL SELECT payload ->> '$.origin.conversation_id', conversation_id FROM events
       WHERE type = 'conversation.created' AND conversation_id IS NOT NULL AND payload ->> '$.origin' IS NOT NULL AND ${IS_SEEN}`,
    )
    .all();
}

function stateEvents(connection: Connection): IterableIterator<StateEvent> {
  return connection
    .prepare<[], StateEvent>(
      `SELECT position, payload ->> '$.agent_id' AS agent_id, payload ->> '$.key' AS key,
         (SELECT conversation_id FROM events AS causes WHERE causes.id = events.caused_by) AS cause FROM events
       WHERE conversation_id IS NULL AND type IN ('agent_state.written', 'agent_state.deleted') AND ${IS_SEEN} ORDER BY position`,
    )
    .iterate();
}
