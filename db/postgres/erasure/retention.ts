import { dialogAgent } from "../../../lib/session/dialog-agent.ts";
import { forkMemories } from "../../../lib/session/fork-scope.ts";
import { type ExpiringRow, expiring, toExpiring } from "../../queries/expiring.ts";
import { sql } from "../../queries/sql.ts";
import type { Removed, RetentionStore } from "../../retention.ts";
import { toMs } from "../../times.ts";
import type { Queries } from "../database.ts";
import type { LogFollower } from "../log/follower.ts";
import { CLOSE } from "../log/transaction-rows.ts";
import type { PostgresWriter } from "../log/writer.ts";
import { select } from "../queries/select.ts";
import { forgetRolledUp } from "../rollup/rollup-writes.ts";
import { removeHistoryPart } from "../unfinished.ts";
import { forgetDerived } from "./erase-conversation.ts";
import { forgetMarks, markErased } from "./marks.ts";

interface DueRow {
  position: number;
  summary: string;
}

/** Retention. Agent state outlives the conversation that wrote it, except a fork's copies of memories. */
export function createRetentionStore(database: Queries, writer: PostgresWriter, follower: LogFollower): RetentionStore {
  return {
    async next(rules, until, limit) {
      const due = expiring(rules, until);
      if (!due) return [];
      const rows = await select<ExpiringRow>(
        database,
        sql`SELECT * FROM (${due}) AS due ORDER BY removed_at, id LIMIT ${limit}`,
      );
      return rows.map(toExpiring);
    },
    async count(rules, until) {
      const due = expiring(rules, until);
      if (!due) return 0;
      const [row] = await select<{ count: number }>(database, sql`SELECT count(*) FROM (${due}) AS due`);
      return row?.count ?? 0;
    },
    async remove(conversations) {
      const removed: Removed = { conversations: 0, events: 0 };
      for (const { id, updated_at } of conversations) {
        const hidden = await writer.submitDirect(async (queries) => {
          // Read in this transaction: others may have written since.
          const [row] = await queries.rows<DueRow>(DUE, [id, toMs(updated_at)]);
          if (!row) return null;
          await hide(queries, id, row.position, writer.owner);
          return { position: row.position, events: Number(JSON.parse(row.summary).event_count) };
        });
        if (hidden === null) continue;
        follower.forget();
        while (!(await writer.submitDirectPart((queries) => removeHistoryPart(queries, id, hidden.position))));
        removed.conversations += 1;
        removed.events += hidden.events;
      }
      if (removed.conversations > 0) await writer.submitDirect(forgetMarks);
      return removed;
    },
  };
}

/**
 * Removes everything that refers to it; its events become like those of an interrupted fork, and are removed next, by another
 * replica if this one ends.
 */
async function hide(queries: Queries, id: string, position: number, owner: number): Promise<void> {
  await queries.run(CLOSE, [[id], "retention"]);
  await forgetDerived(queries, id);
  await queries.run("DELETE FROM telegram_progress WHERE name = $1", [id]);
  await queries.run("DELETE FROM conversations WHERE id = $1", [id]);
  const memories = await queries.rows<{ agent_id: string }>(
    "SELECT DISTINCT agent_id FROM agent_state WHERE starts_with(agent_id, $1)",
    [forkMemories(id)],
  );
  const agents = [dialogAgent(id), ...memories.map(({ agent_id }) => agent_id)];
  await queries.run(
    "DELETE FROM events WHERE position IN (SELECT position FROM agent_state_versions WHERE agent_id = ANY($1))",
    [agents],
  );
  await queries.run("DELETE FROM agent_state_versions WHERE agent_id = ANY($1)", [agents]);
  await queries.run("DELETE FROM agent_state WHERE agent_id = ANY($1)", [agents]);
  await queries.run("INSERT INTO unfinished_forks (conversation_id, position, owner) VALUES ($1, $2, $3)", [
    ...[id, position, owner],
  ]);
  await markErased(queries, id, position);
  await forgetRolledUp(queries, position);
}

const DUE =
  "SELECT position, summary FROM conversations WHERE id = $1 AND updated_at = $2 AND status IN ('idle', 'failed')";
