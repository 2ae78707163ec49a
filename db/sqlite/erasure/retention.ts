import { dialogAgent } from "../../../lib/session/dialog-agent.ts";
import { forkMemories } from "../../../lib/session/fork-scope.ts";
import type { Tail } from "../../log/tail.ts";
import type { Transaction } from "../../log/transaction.ts";
import { type ExpiringRow, expiring, toExpiring } from "../../queries/expiring.ts";
import { sql } from "../../queries/sql.ts";
import type { Removed, RetentionStore } from "../../retention.ts";
import { placesOf } from "../../search/search-place.ts";
import { toMs } from "../../times.ts";
import type { Connection } from "../connection.ts";
import type { Writer } from "../log/writer.ts";
import type { ReaderPool } from "../readers/reader-pool.ts";
import { createRollupWrites } from "../rollup/rollup-writes.ts";
import { IS_STANDING_STATE } from "../unfinished.ts";

// How many events are removed in 5 ms, between other writes.
const A_PART = 1_000;

// How long short conversations are batched: most of their time was spent on the sync and the pause after each.
const LONGEST_PART_MS = 10;

interface RetentionParts {
  writing: Connection;
  reading: Connection;
  writer: Writer;
  readers: ReaderPool;
  tail: Tail;
}

/** Retention in SQLite. Agent state outlives the conversation that wrote it, except a fork's copies of memories. */
export function createRetentionStore({ writing, reading, writer, readers, tail }: RetentionParts): RetentionStore {
  const { erasing } = writer;
  const writes = prepareWrites(writing);
  const rollup = createRollupWrites(writing);
  return {
    async next(rules, until, limit) {
      const due = expiring(rules, until);
      if (!due) return [];
      const { text, values } = sql`SELECT * FROM (${due}) ORDER BY removed_at, id LIMIT ${limit}`;
      return reading
        .prepare<unknown[], ExpiringRow>(text)
        .all(...values)
        .map(toExpiring);
    },
    async count(rules, until) {
      const due = expiring(rules, until);
      if (!due) return 0;
      const { text, values } = sql`SELECT count(*) FROM (${due})`;
      return (
        reading
          .prepare<unknown[], number>(text)
          .pluck()
          .get(...values) ?? 0
      );
    },
    async remove(conversations) {
      const removed: Removed = { conversations: 0, events: 0 };
      const waiting = conversations.values();
      for (let isEnd = false; !isEnd; ) {
        const hidden: string[] = [];
        const long: Hidden[] = [];
        await writer.submit((transaction) => {
          // Read in this transaction: others may have written since.
          transaction.saveConversations();
          const until = performance.now() + LONGEST_PART_MS;
          do {
            const next = waiting.next();
            if (next.done) {
              isEnd = true;
              return;
            }
            const { id, updated_at } = next.value;
            const row = writes.row.get(id, toMs(updated_at));
            if (!row) continue;
            erasing.close([id]);
            hidden.push(id);
            hide(row.position, row.title, id);
            const gone = { id, position: row.position };
            if (!removePart(transaction, gone)) long.push(gone);
            removed.conversations += 1;
            removed.events += row.events;
          } while (performance.now() < until);
        });
        tail.clear();
        for (const gone of long) while (!(await writer.submitPart((transaction) => removePart(transaction, gone))));
        for (const id of hidden) erasing.open(id);
      }
      if (removed.conversations > 0) readers.forget();
      return removed;
    },
  };

  /**
   * Nobody sees it from here on. Its steps, and what is kept for each of them, become like those of an interrupted fork, and
   * are removed next or at the next start: all at once would take a second for 100,000 of them.
   */
  function hide(position: number, title: string | null, id: string): void {
    writes.forgetName.run(position, id, title);
    for (const forget of writes.forgetAll) forget.run({ id });
    for (const agent of [dialogAgent(id), ...writes.memories.all({ prefix: forkMemories(id) })])
      for (const forget of writes.forgetAgent) forget.run({ agent });
    writes.leave.run(id, position);
    erasing.note(id, position);
    rollup.forget(position);
  }

  /** Removes what the search has of it, then its newest steps; returns whether all is removed. */
  function removePart(transaction: Transaction, { id, position }: Hidden): boolean {
    const searched = writes.forgetSearched.run(...placesOf(position), A_PART).changes;
    if (searched === A_PART) return false;
    const after = transaction.lastSeq(id) - A_PART;
    writes.keepStates.run(id, after);
    writes.forgetRunOwners.run(id, after);
    return transaction.removeAfter(id, after);
  }
}

/** A conversation that nobody sees any more; `position` is that of its row. */
interface Hidden {
  id: string;
  position: number;
}

function prepareWrites(connection: Connection) {
  const all = (statements: readonly string[]) =>
    statements.map((statement) => connection.prepare<[Record<string, string>]>(statement));
  return {
    row: connection.prepare<[string, number], { position: number; title: string | null; events: number }>(
      `SELECT position, title, summary ->> '$.event_count' AS events FROM conversations
       WHERE id = ? AND updated_at = ? AND status IN ('idle', 'failed')`,
    ),
    keepStates: connection.prepare<[id: string, after: number]>(
      `UPDATE events SET conversation_id = NULL, seq = 0 WHERE conversation_id = ? AND seq > ? AND ${IS_STANDING_STATE}`,
    ),
    forgetRunOwners: connection.prepare<[id: string, after: number]>(
      `DELETE FROM run_owners WHERE run_id IN (SELECT run_id FROM events
         WHERE conversation_id = ? AND seq > ? AND type = 'run.started' AND origin = 'engine')`,
    ),
    forgetName: connection.prepare<[position: number, id: string, title: string | null]>(
      "INSERT INTO conversation_search (conversation_search, rowid, id, title) VALUES ('delete', ?, ?, ?)",
    ),
    forgetSearched: connection.prepare<[first: bigint, last: bigint, most: number]>(
      "DELETE FROM event_search WHERE rowid IN (SELECT rowid FROM event_search WHERE rowid BETWEEN ? AND ? LIMIT ?)",
    ),
    forgetAll: all([
      `DELETE FROM notices WHERE subject IN (SELECT 'confirmation:' || id FROM confirmations WHERE conversation_id = :id
         UNION SELECT 'alert:' || id FROM alerts WHERE conversation_id = :id)`,
      "DELETE FROM confirmations WHERE conversation_id = :id",
      "DELETE FROM alerts WHERE conversation_id = :id",
      "DELETE FROM bookmarks WHERE conversation_id = :id",
      "DELETE FROM scores WHERE conversation_id = :id",
      "DELETE FROM queue WHERE conversation_id = :id",
      "DELETE FROM telegram_progress WHERE name = :id",
      "DELETE FROM conversations WHERE id = :id",
    ]),
    memories: connection
      .prepare<[{ prefix: string }], string>(
        "SELECT agent_id FROM agent_state WHERE agent_id >= :prefix AND substr(agent_id, 1, length(:prefix)) = :prefix",
      )
      .pluck(),
    forgetAgent: all([
      "DELETE FROM events WHERE position IN (SELECT position FROM agent_state_versions WHERE agent_id = :agent)",
      "DELETE FROM agent_state_versions WHERE agent_id = :agent",
      "DELETE FROM agent_state WHERE agent_id = :agent",
    ]),
    leave: connection.prepare<[string, number]>(
      "INSERT INTO unfinished_forks (conversation_id, position) VALUES (?, ?)",
    ),
  };
}
