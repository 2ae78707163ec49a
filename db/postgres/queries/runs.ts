import type { SessionEvent } from "../../../lib/session/event.ts";
import type { Summary } from "../../../lib/session/session.ts";
import { EVENT_COLUMNS, type EventRow, toEvent } from "../../log/event-row.ts";
import { actionKey } from "../../projections/action-key.ts";
import type { OwnRun, Runs } from "../../repositories.ts";
import type { Queries } from "../database.ts";
import { headOf } from "../log/events.ts";

const A_PAGE = 500;

const IS_OWN_START = "events.type = 'run.started' AND events.origin = 'engine'";
const OWN_RUN = "SELECT events.run_id, events.conversation_id, events.parent_run_id FROM events";

const WITH_DESCENDANTS = `WITH RECURSIVE run (id) AS (
    SELECT run_id FROM events WHERE run_id = $1 AND ${IS_OWN_START}
    UNION SELECT events.run_id FROM run JOIN events ON parent_run_id = run.id WHERE ${IS_OWN_START})
  SELECT id FROM run`;

/** The engine's own runs. Each query stays within the partial indexes of what the engine appended. */
export function createRuns(queries: Queries): Runs {
  return {
    async find(runId) {
      const [run] = await queries.rows<OwnRun>(`${OWN_RUN} WHERE run_id = $1 AND ${IS_OWN_START}`, [runId]);
      return run ?? null;
    },
    events: (runId) => readEvents(queries, runId),
    async open() {
      // A run that has not ended keeps its conversation from being idle or failed.
      const active = await queries.rows<{ summary: string }>(
        "SELECT summary FROM conversations WHERE status IN ('running', 'waiting', 'escalated')",
      );
      const open = active.flatMap(({ summary }) => openRunsOf(summary));
      return queries.rows<OwnRun>(
        `${OWN_RUN} WHERE run_id = ANY($1) AND ${IS_OWN_START} AND parent_run_id IS NULL ORDER BY position`,
        [open],
      );
    },
    async unusedApproval(conversationId, action) {
      const [conversation] = await queries.rows<{ summary: string }>(
        "SELECT summary FROM conversations WHERE id = $1",
        [conversationId],
      );
      const open = conversation ? openRunsOf(conversation.summary) : [];
      const [approval] = await queries.rows<{ id: string }>(
        `SELECT id FROM confirmations
         WHERE conversation_id = $1 AND action_key = $2 AND own = 1 AND status = 'approved' AND used IS NULL
           AND run_id <> ALL($3) AND NOT EXISTS (
             SELECT 1 FROM events WHERE events.run_id = confirmations.run_id AND events.origin = 'engine'
               AND events.type = 'run.cancelled')
         ORDER BY position LIMIT 1`,
        [conversationId, actionKey(action), open],
      );
      return approval?.id ?? null;
    },
  };
}

function openRunsOf(text: string): string[] {
  const summary: Summary = JSON.parse(text);
  return Object.keys(summary.open_runs);
}

/** Reads each run by itself, for which the index has the order. What is appended meanwhile is left out. */
async function readEvents(queries: Queries, runId: string): Promise<SessionEvent[]> {
  const last = await headOf(queries);
  const events: SessionEvent[] = [];
  for (const { id } of await queries.rows<{ id: string }>(WITH_DESCENDANTS, [runId])) {
    let after = 0;
    while (after < last) {
      const page = await queries.rows<EventRow>(
        `SELECT ${EVENT_COLUMNS} FROM events
         WHERE run_id = $1 AND position > $2 AND position <= $3 AND origin = 'engine' ORDER BY position LIMIT ${A_PAGE}`,
        [id, after, last],
      );
      events.push(...page.map(toEvent));
      after = page.length < A_PAGE ? last : (page.at(-1)?.position ?? last);
    }
  }
  return events.sort((a, b) => a.position - b.position);
}
