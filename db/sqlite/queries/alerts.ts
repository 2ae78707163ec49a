import { readPage } from "../../queries/cursor.ts";
import { alertFilter, keysetOf, NEWEST_ALERT_FIRST } from "../../queries/pending-lists.ts";
import { type Sql, sql } from "../../queries/sql.ts";
import type { AlertQuery, Alerts, ListedAlert } from "../../repositories.ts";
import { toIso } from "../../times.ts";
import type { Connection } from "../connection.ts";

/** A row of the list: `conversation` is a JSON object. */
interface Row extends Omit<ListedAlert, "created_at" | "open" | "closed_at" | "conversation"> {
  position: number;
  created_at: number;
  closed_at: number | null;
  conversation: string;
}

/** Alerts of managers (E4, D9). */
export function createAlerts(connection: Connection): Alerts {
  return {
    async list({ status, ...page }: AlertQuery) {
      const read = (which: Sql) => readRows(connection, which);
      const { items, next, prev } = readPage(keysetOf(NEWEST_ALERT_FIRST, alertFilter({ status }), read), page);
      return { items: items.map(toListed), next, prev };
    },
  };
}

/** The number of open alerts. */
export function countOpenAlerts(connection: Connection): number {
  const count = connection.prepare<[], number>("SELECT count(*) FROM alerts WHERE closed_at IS NULL").pluck();
  return count.get() ?? 0;
}

/** Rows with their conversations, and the agent that the alert's event names. */
function readRows(connection: Connection, which: Sql): Iterable<Row> {
  const { text, values } = sql`SELECT alerts.position, alerts.id, alerts.conversation_id, alerts.seq, alerts.run_id,
      events.agent_id, alerts.text, reason, created_at, closed_at, closed_by,
      json_object('title', title, 'subject', summary ->> '$.subject', 'channel', channel,
        'user_id', summary ->> '$.user_id', 'agent_id', conversations.agent_id,
        'taken_over', json(summary -> '$.taken_over'),
        'running', json(iif(summary ->> '$.open_runs' = '{}', 'false', 'true'))) AS conversation
    FROM alerts
      JOIN conversations ON conversations.id = alerts.conversation_id
      JOIN events ON events.position = alerts.position
    WHERE ${which}`;
  return connection.prepare<unknown[], Row>(text).iterate(...values);
}

function toListed({ position: _, conversation, ...row }: Row): ListedAlert {
  return {
    ...row,
    open: row.closed_at === null,
    created_at: toIso(row.created_at),
    closed_at: row.closed_at === null ? null : toIso(row.closed_at),
    conversation: JSON.parse(conversation),
  };
}
