import { dialogAgent } from "../../../lib/session/dialog-agent.ts";
import { renamesOf } from "../../../lib/session/erasure.ts";
import { forkMemories, forkMemoriesOf } from "../../../lib/session/fork-scope.ts";
import { isOwnAgent } from "../../../lib/session/own-agents.ts";
import type { ErasureKind } from "../../erasures.ts";
import { IS_SEEN } from "../../log/unfinished.ts";
import type { Connection } from "../connection.ts";

/** What an erasure covers: whole conversations, and events outside of them that wrote agent state. */
export interface ErasureScope {
  conversations: string[];
  /** Positions of events outside of conversations. */
  outside: number[];
}

/** An agent state event without a conversation. */
interface StateEvent {
  position: number;
  agent_id: string;
  key: string;
  caused_by: string | null;
}

/**
 * Finds what an erasure covers. Of a user: their conversations, those in which they have messages, and entries under
 * their name. Of a conversation: it, and agent state versions since it first wrote them. Of both: forks and copies.
 */
export function readErasureScope(connection: Connection, kind: ErasureKind, target: string): ErasureScope {
  const conversations = withDescendants(connection, kind === "user" ? conversationsOf(connection, target) : [target]);
  return { conversations: [...conversations], outside: outsideOf(connection, kind, target, conversations) };
}

function conversationsOf(connection: Connection, user: string): string[] {
  return connection
    .prepare<[{ user: string }], string>(
      `SELECT id FROM conversations WHERE summary ->> '$.user_id' = :user
       UNION SELECT conversation_id FROM events WHERE conversation_id IS NOT NULL AND ${IS_SEEN} AND (
         actor = 'user:' || :user OR (type IN ('conversation.created', 'run.started', 'memory.updated')
           AND payload ->> '$.user_id' = :user))`,
    )
    .pluck()
    .all({ user });
}

/** With all descendants by fork. */
function withDescendants(connection: Connection, roots: readonly string[]): Set<string> {
  const children = Map.groupBy(
    connection
      .prepare<[], { parent: string; id: string }>(
        `SELECT forked_from AS parent, id FROM conversations WHERE forked_from IS NOT NULL
         UNION ALL SELECT payload ->> '$.origin.conversation_id', conversation_id FROM events
         WHERE type = 'conversation.created' AND conversation_id IS NOT NULL AND payload ->> '$.origin' IS NOT NULL AND ${IS_SEEN}`,
      )
      .all(),
    ({ parent }) => parent,
  );
  const all = new Set(roots);
  // The list grows during iteration.
  for (const one of all) for (const { id } of children.get(one) ?? []) all.add(id);
  return all;
}

function outsideOf(
  connection: Connection,
  kind: ErasureKind,
  target: string,
  conversations: ReadonlySet<string>,
): number[] {
  const causeOf = connection
    .prepare<[string], string | null>("SELECT conversation_id FROM events WHERE id = ?")
    .pluck();
  const dialogs = new Set([...conversations].map(dialogAgent));
  const names = renamesOf(kind === "user" ? [target] : [], "");
  // Of any user: a fork has its own copy of each user's memory.
  const memories = new Set([...conversations].map(forkMemories));
  const isNamed = ({ agent_id, key }: StateEvent) =>
    names.agent(agent_id) !== agent_id ||
    names.key(key) !== key ||
    dialogs.has(agent_id) ||
    memories.has(forkMemoriesOf(agent_id) ?? "");
  const isCaused = ({ caused_by }: StateEvent) => {
    const cause = caused_by === null ? null : causeOf.get(caused_by);
    return cause !== null && cause !== undefined && conversations.has(cause);
  };
  // A document that a conversation has changed contains the change in all later versions.
  const touched = new Set<string>();
  const found: number[] = [];
  for (const event of stateEvents(connection)) {
    if (isOwnAgent(event.agent_id)) continue;
    const entry = JSON.stringify([event.agent_id, event.key]);
    if (!touched.has(entry) && !isNamed(event) && !isCaused(event)) continue;
    touched.add(entry);
    found.push(event.position);
  }
  return found;
}

function stateEvents(connection: Connection): IterableIterator<StateEvent> {
  return connection
    .prepare<[], StateEvent>(
      `SELECT position, payload ->> '$.agent_id' AS agent_id, payload ->> '$.key' AS key, caused_by FROM events
       WHERE conversation_id IS NULL AND type IN ('agent_state.written', 'agent_state.deleted') AND ${IS_SEEN} ORDER BY position`,
    )
    .iterate();
}
