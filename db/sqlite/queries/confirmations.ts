import {
  CONFIRMATION_COLUMNS,
  type ConfirmationRow,
  type OwnerColumns,
  ownerColumns,
  toConfirmation,
  toOwner,
} from "../../queries/confirmation-row.ts";
import { readPage } from "../../queries/cursor.ts";
import {
  confirmationFilter,
  isByDecision,
  keysetOf,
  NEWEST_DECISION_FIRST,
  OLDEST_REQUEST_FIRST,
} from "../../queries/pending-lists.ts";
import { type Sql, sql } from "../../queries/sql.ts";
import type { Confirmations, ListedConfirmation } from "../../repositories.ts";
import type { Connection } from "../connection.ts";

/** Of the request event: imported requests are not pending. */
export const NOT_IMPORTED = "events.origin IS NOT 'import'";
const IS_WAITED_FOR: Sql = { text: NOT_IMPORTED, values: [] };

/** A row of the list: `conversation` is a JSON object. */
interface ListedRow extends ConfirmationRow, OwnerColumns {
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
      const filter = confirmationFilter({ status, conversation_id }, IS_WAITED_FOR);
      const read = (which: Sql) => readRows(connection, which);
      const { items, next, prev } = isByDecision({ status })
        ? readPage(keysetOf(NEWEST_DECISION_FIRST, filter, read), page)
        : readPage(keysetOf(OLDEST_REQUEST_FIRST, filter, read), page);
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

/** Rows with their conversations, and the agent that the request's event names. */
function readRows(connection: Connection, which: Sql): Iterable<ListedRow> {
  const { text, values } = sql`SELECT ${COLUMNS}, ${ownerColumns(Date.now())}, events.agent_id,
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

function toListed({ agent_id, unanswered, conversation, owner, deputy, ...row }: ListedRow): ListedConfirmation {
  const told = {
    ...{ agent_id, unanswered: unanswered === 1, conversation: JSON.parse(conversation) },
    ...toOwner({ owner, deputy }),
  };
  return { ...toConfirmation(row), ...told };
}
