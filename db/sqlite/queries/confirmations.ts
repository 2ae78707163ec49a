import { CONFIRMATION_COLUMNS, type ConfirmationRow, toConfirmation } from "../../queries/confirmation-row.ts";
import { type Cursor, type Keyset, readPage } from "../../queries/cursor.ts";
import { and, type Sql, sql } from "../../queries/sql.ts";
import type { Confirmations, ListedConfirmation } from "../../repositories.ts";
import type { Connection } from "../connection.ts";

/** Of the request event: imported requests are not pending. */
export const NOT_IMPORTED = "events.origin IS NOT 'import'";
const IS_WAITED_FOR: Sql = { text: NOT_IMPORTED, values: [] };

/** A row of the list: `conversation` is a JSON object. */
interface ListedRow extends ConfirmationRow {
  agent_id: string | null;
  unanswered: 0 | 1;
  conversation: string;
}

/** Confirmations and their decisions (E4). */
export function createConfirmations(connection: Connection): Confirmations {
  const one = connection.prepare<[string], ConfirmationRow>(
    `SELECT ${CONFIRMATION_COLUMNS} FROM confirmations WHERE id = ?`,
  );
  return {
    async get(id) {
      const row = one.get(id);
      return row ? toConfirmation(row) : null;
    },
    async list({ status, conversation_id, ...page }) {
      const filter = and(
        status === undefined ? null : sql`confirmations.status = ${status}`,
        // Imported requests are not pending.
        status === "requested" ? IS_WAITED_FOR : null,
        conversation_id === undefined ? null : sql`confirmations.conversation_id = ${conversation_id}`,
      );
      const isDecided = status === "approved" || status === "denied";
      const { items, next, prev } = isDecided
        ? readPage(newestDecisionFirst(connection, filter), page)
        : readPage(oldestFirst(connection, filter), page);
      return { items: items.map(toListed), next, prev };
    },
  };
}

/** The number of pending confirmations. */
export function countAwaiting(connection: Connection): number {
  const count = connection
    .prepare<[], number>(
      `SELECT count(*) FROM confirmations JOIN events ON events.position = confirmations.position
       WHERE confirmations.status = 'requested' AND ${NOT_IMPORTED}`,
    )
    .pluck();
  return count.get() ?? 0;
}

function oldestFirst(connection: Connection, filter: Sql): Keyset<readonly [number], ListedRow> {
  return {
    isKey: (parts): parts is readonly [number] => parts.length === 1 && Number.isSafeInteger(parts[0]),
    keyOf: (row) => [row.position],
    read(cursor, limit) {
      const back = cursor?.direction === "prev";
      const [position = 0] = cursor?.key ?? [];
      const beyond = back ? sql`confirmations.position < ${position}` : sql`confirmations.position > ${position}`;
      const order = back ? sql`confirmations.position DESC` : sql`confirmations.position`;
      return readRows(connection, sql`${and(filter, beyond)} ORDER BY ${order} LIMIT ${limit}`);
    },
  };
}

type Decision = readonly [decidedAt: number, position: number];

function newestDecisionFirst(connection: Connection, filter: Sql): Keyset<Decision, ListedRow> {
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
      return readRows(connection, sql`${and(filter, beyond)} ORDER BY ${order} LIMIT ${limit}`);
    },
  };
}

function beyondDecision({ direction, key: [decidedAt, position] }: Cursor<Decision>): Sql {
  return direction === "prev"
    ? sql`(decided_at, confirmations.position) > (${decidedAt}, ${position})`
    : sql`(decided_at, confirmations.position) < (${decidedAt}, ${position})`;
}

/** Rows with their conversations, and the agent that the request's event names. */
function readRows(connection: Connection, which: Sql): Iterable<ListedRow> {
  const { text, values } = sql`SELECT ${COLUMNS}, events.agent_id,
      EXISTS (SELECT 1 FROM json_each(summary, '$.unanswered') WHERE value ->> 'confirmation_id' = confirmations.id)
        AS unanswered,
      json_object('title', title, 'subject', summary ->> '$.subject', 'channel', channel,
        'user_id', summary ->> '$.user_id', 'agent_id', conversations.agent_id) AS conversation
    FROM confirmations
      JOIN conversations ON conversations.id = confirmations.conversation_id
      JOIN events ON events.position = confirmations.position
    WHERE ${which}`;
  return connection.prepare<unknown[], ListedRow>(text).iterate(...values);
}

const COLUMNS: Sql = { text: CONFIRMATION_COLUMNS, values: [] };

function toListed({ agent_id, unanswered, conversation, ...row }: ListedRow): ListedConfirmation {
  const told = { agent_id, unanswered: unanswered === 1, conversation: JSON.parse(conversation) };
  return { ...toConfirmation(row), ...told };
}
