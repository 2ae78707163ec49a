import type { Summary } from "../../../lib/session/session.ts";
import { readRemotePage } from "../../queries/cursor.ts";
import { alertFilter, keysetOf, NEWEST_ALERT_FIRST } from "../../queries/pending-lists.ts";
import { type Sql, sql } from "../../queries/sql.ts";
import type { AlertQuery, Alerts, ListedAlert } from "../../repositories.ts";
import { toIso } from "../../times.ts";
import type { Queries } from "../database.ts";
import { conversationOf, PENDING_COLUMNS, type PendingRow } from "./pending.ts";
import { raw, select } from "./select.ts";

interface Row extends PendingRow, Omit<ListedAlert, "created_at" | "open" | "closed_at" | "conversation" | "agent_id"> {
  position: number;
  created_at: number;
  closed_at: number | null;
}

/** What managers are called for (E4, D9). */
export function createAlerts(queries: Queries): Alerts {
  return {
    async list({ status, ...page }: AlertQuery) {
      const read = (which: Sql) => readRows(queries, which);
      const { items, next, prev } = await readRemotePage(
        keysetOf(NEWEST_ALERT_FIRST, alertFilter({ status }), read),
        page,
      );
      return { items: items.map(toListed), next, prev };
    },
  };
}

/** How many are open. */
export async function countOpenAlerts(queries: Queries): Promise<number> {
  const [row] = await queries.rows<{ count: number }>("SELECT count(*) FROM alerts WHERE closed_at IS NULL");
  return row?.count ?? 0;
}

function readRows(queries: Queries, which: Sql): Promise<Row[]> {
  return select(
    queries,
    sql`SELECT alerts.position, alerts.id, alerts.conversation_id, alerts.seq, alerts.run_id, alerts.text, reason,
            created_at, closed_at, closed_by, ${raw(PENDING_COLUMNS)} FROM alerts
          JOIN conversations ON conversations.id = alerts.conversation_id
          JOIN events ON events.position = alerts.position
          WHERE ${which}`,
  );
}

function toListed({ position: _, summary: text, its_agent, ...row }: Row): ListedAlert {
  const summary: Summary = JSON.parse(text);
  const { taken_over, open_runs } = summary;
  return {
    ...row,
    open: row.closed_at === null,
    created_at: toIso(row.created_at),
    closed_at: row.closed_at === null ? null : toIso(row.closed_at),
    conversation: { ...conversationOf(summary, its_agent), taken_over, running: Object.keys(open_runs).length > 0 },
  };
}
