import type { Summary } from "../../../lib/session/session.ts";
import {
  CONFIRMATION_COLUMNS,
  type ConfirmationRow,
  type OwnerColumns,
  ownerColumns,
  toConfirmation,
  toOwner,
} from "../../queries/confirmation-row.ts";
import { readRemotePage } from "../../queries/cursor.ts";
import {
  confirmationFilter,
  isByDecision,
  keysetOf,
  NEWEST_DECISION_FIRST,
  OLDEST_REQUEST_FIRST,
} from "../../queries/pending-lists.ts";
import { type Sql, sql } from "../../queries/sql.ts";
import type { Confirmations, ListedConfirmation } from "../../repositories.ts";
import type { Queries } from "../database.ts";
import { conversationOf, NOT_IMPORTED, PENDING_COLUMNS, type PendingRow } from "./pending.ts";
import { raw, select } from "./select.ts";

type ListedRow = ConfirmationRow & OwnerColumns & PendingRow;

/** What people are asked and have decided (E4). */
export function createConfirmations(queries: Queries): Confirmations {
  return {
    async get(id) {
      const [row] = await queries.rows<ConfirmationRow>(
        `SELECT ${CONFIRMATION_COLUMNS} FROM confirmations WHERE id = $1`,
        [id],
      );
      return row ? toConfirmation(row) : null;
    },
    async list({ status, conversation_id, ...page }) {
      const filter = confirmationFilter({ status, conversation_id }, raw(NOT_IMPORTED));
      const read = (which: Sql) => readRows(queries, which);
      const { items, next, prev } = isByDecision({ status })
        ? await readRemotePage(keysetOf(NEWEST_DECISION_FIRST, filter, read), page)
        : await readRemotePage(keysetOf(OLDEST_REQUEST_FIRST, filter, read), page);
      return { items: items.map(toListed), next, prev };
    },
  };
}

/** How many wait for a decision, and since when the oldest of them does. */
export async function countAwaiting(queries: Queries): Promise<{ waiting: number; oldest: number | null }> {
  const [count] = await queries.rows<{ waiting: number; oldest: number | null }>(
    `SELECT count(*) AS waiting, min(requested_at) AS oldest FROM confirmations
       JOIN events ON events.position = confirmations.position WHERE status = 'requested' AND ${NOT_IMPORTED}`,
  );
  return count ?? { waiting: 0, oldest: null };
}

function readRows(queries: Queries, which: Sql): Promise<ListedRow[]> {
  return select(
    queries,
    sql`SELECT ${raw(CONFIRMATION_COLUMNS)}, ${ownerColumns(Date.now())}, ${raw(PENDING_COLUMNS)} FROM confirmations
      JOIN conversations ON conversations.id = confirmations.conversation_id
      JOIN events ON events.position = confirmations.position
      WHERE ${which}`,
  );
}

function toListed({ summary: text, its_agent, agent_id, owner, deputy, ...row }: ListedRow): ListedConfirmation {
  const summary: Summary = JSON.parse(text);
  return {
    ...toConfirmation(row),
    agent_id,
    unanswered: summary.unanswered.some(({ confirmation_id }) => confirmation_id === row.id),
    ...toOwner({ owner, deputy }),
    conversation: conversationOf(summary, its_agent),
  };
}
