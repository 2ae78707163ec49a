import type { Summary } from "../../../lib/session/session.ts";
import { CONFIRMATION_COLUMNS, type ConfirmationRow, toConfirmation } from "../../queries/confirmation-row.ts";
import { type Cursor, type RemoteKeyset, readRemotePage } from "../../queries/cursor.ts";
import { and, type Sql, sql } from "../../queries/sql.ts";
import type { Confirmations, ListedConfirmation } from "../../repositories.ts";
import type { Queries } from "../database.ts";
import { conversationOf, NOT_IMPORTED, PENDING_COLUMNS, type PendingRow } from "./pending.ts";
import { raw, select } from "./select.ts";

type ListedRow = ConfirmationRow & PendingRow;

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
      const filter = and(
        status === undefined ? null : sql`confirmations.status = ${status}`,
        // Of an import nobody waits.
        status === "requested" ? raw(NOT_IMPORTED) : null,
        conversation_id === undefined ? null : sql`confirmations.conversation_id = ${conversation_id}`,
      );
      const isDecided = status === "approved" || status === "denied";
      const { items, next, prev } = isDecided
        ? await readRemotePage(newestDecisionFirst(queries, filter), page)
        : await readRemotePage(oldestFirst(queries, filter), page);
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

function oldestFirst(queries: Queries, filter: Sql): RemoteKeyset<readonly [number], ListedRow> {
  return {
    isKey: (parts): parts is readonly [number] => parts.length === 1 && Number.isSafeInteger(parts[0]),
    keyOf: (row) => [row.position],
    read(cursor, limit) {
      const back = cursor?.direction === "prev";
      const [position = 0] = cursor?.key ?? [];
      const beyond = back ? sql`confirmations.position < ${position}` : sql`confirmations.position > ${position}`;
      const order = back ? sql`confirmations.position DESC` : sql`confirmations.position`;
      return readRows(queries, sql`${and(filter, beyond)} ORDER BY ${order} LIMIT ${limit}`);
    },
  };
}

type Decision = readonly [decidedAt: number, position: number];

function newestDecisionFirst(queries: Queries, filter: Sql): RemoteKeyset<Decision, ListedRow> {
  return {
    isKey: (parts): parts is Decision => parts.length === 2 && parts.every(Number.isSafeInteger),
    keyOf: ({ id, decided_at, position }) => {
      if (decided_at === null) throw new Error(`The confirmation ${id} is decided and tells no time`);
      return [decided_at, position];
    },
    read(cursor, limit) {
      const back = cursor?.direction === "prev";
      const order = back ? sql`decided_at, confirmations.position` : sql`decided_at DESC, confirmations.position DESC`;
      const beyond = cursor && beyondDecision(cursor);
      return readRows(queries, sql`${and(filter, beyond)} ORDER BY ${order} LIMIT ${limit}`);
    },
  };
}

function beyondDecision({ direction, key: [decidedAt, position] }: Cursor<Decision>): Sql {
  return direction === "prev"
    ? sql`(decided_at, confirmations.position) > (${decidedAt}, ${position})`
    : sql`(decided_at, confirmations.position) < (${decidedAt}, ${position})`;
}

function readRows(queries: Queries, which: Sql): Promise<ListedRow[]> {
  return select(
    queries,
    sql`SELECT ${raw(CONFIRMATION_COLUMNS)}, ${raw(PENDING_COLUMNS)} FROM confirmations
      JOIN conversations ON conversations.id = confirmations.conversation_id
      JOIN events ON events.position = confirmations.position
      WHERE ${which}`,
  );
}

function toListed({ summary: text, its_agent, agent_id, ...row }: ListedRow): ListedConfirmation {
  const summary: Summary = JSON.parse(text);
  return {
    ...toConfirmation(row),
    agent_id,
    unanswered: summary.unanswered.some(({ confirmation_id }) => confirmation_id === row.id),
    conversation: conversationOf(summary, its_agent),
  };
}
