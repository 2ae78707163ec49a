import { IS_FINISHED } from "../../log/unfinished.ts";
import { type Check, counted } from "./check-context.ts";

/** References between tables, and queries for rows that violate them. */
const LINKS: readonly { of: string; broken: string }[] = [
  {
    of: "messages without their event",
    broken: `SELECT position FROM messages WHERE NOT EXISTS
      (SELECT 1 FROM events WHERE events.position = messages.position AND events.type = 'message.created'
         AND events.conversation_id = messages.conversation_id AND events.seq = messages.seq)`,
  },
  {
    of: "confirmations without their event",
    broken: `SELECT id FROM confirmations WHERE NOT EXISTS
      (SELECT 1 FROM events WHERE events.position = confirmations.position AND events.type = 'confirmation.requested')`,
  },
  {
    of: "approvals used by a missing event",
    broken: `SELECT id FROM confirmations WHERE used IS NOT NULL AND used NOT IN (SELECT position FROM events)`,
  },
  {
    of: "alerts without their event",
    broken: `SELECT id FROM alerts WHERE NOT EXISTS
      (SELECT 1 FROM events WHERE events.position = alerts.position AND events.type = 'manager.alerted')`,
  },
  {
    of: "versions of agent state without their event",
    broken: `SELECT position FROM agent_state_versions WHERE position NOT IN (SELECT position FROM events)`,
  },
  {
    of: "events without their conversation",
    broken: `SELECT DISTINCT conversation_id FROM events WHERE conversation_id IS NOT NULL AND ${IS_FINISHED}
      AND conversation_id NOT IN (SELECT id FROM conversations)`,
  },
  {
    of: "conversations without events",
    broken: `SELECT id FROM conversations WHERE NOT EXISTS
      (SELECT 1 FROM events WHERE events.position = conversations.position AND events.conversation_id = conversations.id)`,
  },
  {
    of: "forks at a step that their source does not have",
    broken: `SELECT forks.id FROM conversations AS forks JOIN conversations AS sources ON sources.id = forks.forked_from
      WHERE (forks.summary ->> '$.forked_from.seq') > (sources.summary ->> '$.last_seq')`,
  },
  {
    of: "snapshots of missing steps",
    broken: `SELECT conversation_id FROM snapshots WHERE NOT EXISTS (SELECT 1 FROM events
      WHERE events.conversation_id = snapshots.conversation_id AND events.seq = snapshots.seq)`,
  },
  {
    of: "timeline chunks of missing steps",
    broken: `SELECT conversation_id FROM timeline_chunks WHERE NOT EXISTS (SELECT 1 FROM events
      WHERE events.conversation_id = timeline_chunks.conversation_id AND events.seq = timeline_chunks.seq)`,
  },
  {
    of: "bookmarks of missing steps",
    broken: `SELECT conversation_id || ' ' || seq FROM bookmarks WHERE NOT EXISTS (SELECT 1 FROM events
      WHERE events.conversation_id = bookmarks.conversation_id AND events.seq = bookmarks.seq)`,
  },
  {
    of: "scores of missing conversations",
    broken: `SELECT conversation_id || ' ' || name FROM scores WHERE conversation_id NOT IN (SELECT id FROM conversations)`,
  },
  {
    of: "missing conversations in the queue",
    broken: `SELECT conversation_id FROM queue WHERE conversation_id NOT IN (SELECT id FROM conversations)`,
  },
  {
    of: "sign-ins of missing users",
    broken: `SELECT user_id FROM sign_ins WHERE user_id NOT IN (SELECT id FROM users)`,
  },
];

/** Referenced rows exist. The source of a fork may have been deleted. */
export const checkLinks: Check = {
  name: "links",
  remedy: "Stop Obelus, run npm run rebuild, and check again; if problems remain, restore a backup.",
  run({ connection, tell }, faults) {
    for (const { of, broken } of LINKS) {
      tell(of);
      for (const name of connection.prepare<[], unknown>(broken).pluck().iterate()) faults.add(`${of}: ${name}`);
    }
    return counted(LINKS.length, "kind");
  },
};
