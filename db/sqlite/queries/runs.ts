import { setImmediate } from "node:timers/promises";
import type { SessionEvent } from "../../../lib/session/event.ts";
import { EVENT_COLUMNS, type EventRow, readEventPage } from "../../log/event-row.ts";
import { IS_SEEN } from "../../log/unfinished.ts";
import { actionKey } from "../../projections/action-key.ts";
import type { OwnRun, Runs } from "../../repositories.ts";
import type { Connection } from "../connection.ts";

// How many events are read in about 3 ms: the thread also answers requests.
const A_PAGE = 500;

/** The engine's own runs. Each query stays within the partial indexes of own events. */
export function createRuns(connection: Connection): Runs {
  const reads = prepareRunReads(connection);
  return {
    async find(runId) {
      return reads.find.get(runId) ?? null;
    },
    events: (runId) => readEvents(reads, runId),
    async open() {
      return reads.open.all();
    },
    async unusedApproval(conversationId, action) {
      return reads.unusedApproval.get(conversationId, actionKey(action)) ?? null;
    },
  };
}

/** Reads each run separately, as the index has that order. Events appended meanwhile are left out. */
async function readEvents(reads: RunReads, runId: string): Promise<SessionEvent[]> {
  const last = reads.head.get() ?? 0;
  const events: SessionEvent[] = [];
  let pauseAt = A_PAGE;
  for (const id of reads.withDescendants.all(runId)) {
    let page: SessionEvent[];
    let after = 0;
    do {
      page = readEventPage(reads.events.iterate(id, after, last, A_PAGE));
      events.push(...page);
      if (page.length > 0 && (after > 0 || events.length >= pauseAt)) {
        await setImmediate();
        pauseAt = events.length + A_PAGE;
      }
      after = page.at(-1)?.position ?? last;
    } while (page.length > 0);
  }
  return events.sort((a, b) => a.position - b.position);
}

const IS_OWN_START = "events.type = 'run.started' AND events.origin = 'engine'";

function prepareRunReads(connection: Connection) {
  return {
    head: connection
      .prepare<[], number | null>(`SELECT position FROM events WHERE ${IS_SEEN} ORDER BY position DESC LIMIT 1`)
      .pluck(),
    find: connection.prepare<[string], OwnRun>(
      `SELECT run_id, conversation_id, parent_run_id FROM events WHERE run_id = ? AND ${IS_OWN_START}`,
    ),
    withDescendants: connection
      .prepare<[string], string>(
        `WITH RECURSIVE run (id) AS (
           SELECT run_id FROM events WHERE run_id = ? AND ${IS_OWN_START}
           UNION SELECT events.run_id FROM run JOIN events ON parent_run_id = run.id WHERE ${IS_OWN_START})
         SELECT id FROM run`,
      )
      .pluck(),
    events: connection.prepare<[string, number, number, number], EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events
       WHERE run_id = ? AND position > ? AND position <= ? AND origin = 'engine' ORDER BY position LIMIT ?`,
    ),
    // An open run keeps its conversation from being idle or failed. CROSS JOIN fixes the order: SQLite would start with
    // all runs.
    open: connection.prepare<[], OwnRun>(
      `WITH active AS MATERIALIZED (SELECT id FROM conversations WHERE status IN ('running', 'waiting', 'escalated'))
       SELECT events.run_id, events.conversation_id, events.parent_run_id
       FROM active CROSS JOIN conversations USING (id)
         CROSS JOIN json_each(conversations.summary, '$.open_runs') AS open_run
         CROSS JOIN events INDEXED BY own_runs ON events.run_id = open_run.key
       WHERE ${IS_OWN_START} AND events.parent_run_id IS NULL ORDER BY events.position`,
    ),
    unusedApproval: connection
      .prepare<[string, string], string>(
        `SELECT id FROM confirmations
         WHERE conversation_id = ? AND action_key = ? AND own = 1 AND status = 'approved' AND used IS NULL
           AND run_id NOT IN (
             SELECT open_run.key FROM conversations, json_each(summary, '$.open_runs') AS open_run
             WHERE conversations.id = confirmations.conversation_id)
           AND NOT EXISTS (
             SELECT 1 FROM events WHERE events.run_id = confirmations.run_id AND events.origin = 'engine'
               AND events.type = 'run.cancelled')
         ORDER BY position LIMIT 1`,
      )
      .pluck(),
  };
}

type RunReads = ReturnType<typeof prepareRunReads>;
