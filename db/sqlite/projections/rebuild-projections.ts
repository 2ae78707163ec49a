import { emptySummary, summarize } from "../../../lib/session/summary/summary.ts";
import { EVENT_COLUMNS, type EventRow, toEvent } from "../../log/event-row.ts";
import { IS_FINISHED } from "../../log/unfinished.ts";
import type { Writes } from "../../log/writes.ts";
import { projectMessage, projectStanding, STANDING_TYPES, saveConversation } from "../../projections/projections.ts";
import type { OnRebuilding } from "../../storage.ts";
import { type Connection, openForReading } from "../connection.ts";
import { prepareWrites } from "../log/statements.ts";
import { markRebuilt, PROJECTIONS, type Projection, pendingRebuilds } from "./pending-rebuilds.ts";

/** Progress: done, and the total. */
export interface Rebuilt {
  conversations: number;
  events: number;
}

/** Progress is reported this often, in events. */
const TELL_EVERY = 2_000;

/** Rebuilds projections from the log (E4) in one transaction; the server fills `search` and `rollup`. */
export function rebuildProjections(
  writing: Connection,
  projections: readonly Projection[],
  onProgress?: OnRebuilding,
): Rebuilt {
  // SQLite connections cannot write while they iterate over a query.
  const reading = openForReading(writing.name);
  try {
    return writing.transaction(() => {
      rebuildFrom(reading, writing, projections, onProgress);
      writing.exec("DELETE FROM snapshots; DELETE FROM timeline_chunks");
      markRebuilt(writing, PROJECTIONS);
      return countLog(reading);
    })();
  } finally {
    reading.close();
  }
}

/** Rebuilds what migrations require. */
export function rebuildPending(connection: Connection, onProgress?: OnRebuilding): void {
  const pending = pendingRebuilds(connection);
  if (pending.length > 0) rebuildProjections(connection, pending, onProgress);
}

/** Rebuilds projections from the log of one connection in the tables of another, which may be of another database. */
export function rebuildFrom(
  reading: Connection,
  writing: Connection,
  projections: readonly Projection[],
  onProgress?: OnRebuilding,
): void {
  const rebuild = prepareRebuild(writing, reading);
  for (const projection of projections) rebuild[projection](progressOf(projection, reading, onProgress));
}

type Step = () => void;

/** Counts events, and reports progress now and then. */
function progressOf(projection: Projection, reading: Connection, onProgress: OnRebuilding | undefined): Step {
  if (!onProgress) return () => undefined;
  const total =
    reading.prepare<[], number>(`SELECT count(*) FROM events WHERE ${READ_BY[projection]}`).pluck().get() ?? 0;
  let done = 0;
  onProgress({ projection, done, total });
  return () => {
    done += 1;
    if (done % TELL_EVERY === 0 || done === total) onProgress({ projection, done, total });
  };
}

/** The events that a projection reads. */
const READ_BY: Record<Projection, string> = {
  messages: `type = 'message.created' AND ${IS_FINISHED}`,
  standing: `position >= 0 AND type IN (${STANDING_TYPES.map((type) => `'${type}'`).join(", ")}) AND ${IS_FINISHED}`,
  conversations: `conversation_id IS NOT NULL AND ${IS_FINISHED}`,
  search: "FALSE",
  rollup: "FALSE",
};

function prepareRebuild(writing: Connection, reading: Connection): Record<Projection, (step: Step) => void> {
  const writes = prepareWrites(writing);
  return {
    messages(step) {
      writing.exec("DELETE FROM messages");
      for (const row of log(reading, READ_BY.messages)) {
        projectMessage(writes, toEvent(row));
        step();
      }
    },
    standing(step) {
      writing.exec(
        "DELETE FROM agent_state; DELETE FROM agent_state_versions; DELETE FROM confirmations; DELETE FROM alerts",
      );
      // In the order of the whole log: agent state depends on all conversations.
      for (const row of log(reading, READ_BY.standing)) {
        projectStanding(writes, toEvent(row));
        step();
      }
    },
    conversations(step) {
      writing.exec("DELETE FROM conversations");
      writing.exec("INSERT INTO conversation_search (conversation_search) VALUES ('delete-all')");
      foldConversations(writes, reading, step);
    },
    search() {
      writing.exec("INSERT INTO event_search (event_search) VALUES ('delete-all'); DELETE FROM search_progress");
    },
    rollup() {
      writing.exec(`DELETE FROM rollup_cells; DELETE FROM rollup_parts; DELETE FROM rollup_states; DELETE FROM rollup_series;
        DELETE FROM rollup_progress; DELETE FROM rollup_due; DELETE FROM conversation_totals; DELETE FROM rollup_averages`);
    },
  };
}

function log(reading: Connection, condition: string): IterableIterator<EventRow> {
  return reading
    .prepare<[], EventRow>(`SELECT ${EVENT_COLUMNS} FROM events WHERE ${condition} ORDER BY position`)
    .iterate();
}

function foldConversations(writes: Writes, reading: Connection, step: Step): void {
  const steps = reading.prepare<[string], EventRow>(
    `SELECT ${EVENT_COLUMNS} FROM events WHERE conversation_id = ? ORDER BY seq`,
  );
  const conversations = reading
    .prepare<[], { id: string; position: number }>(
      `SELECT conversation_id AS id, min(position) AS position FROM events
       WHERE ${READ_BY.conversations} GROUP BY conversation_id`,
    )
    .iterate();
  for (const { id, position } of conversations) {
    let summary = emptySummary();
    for (const row of steps.iterate(id)) {
      summary = summarize(summary, toEvent(row));
      step();
    }
    saveConversation(writes, id, position, summary);
  }
}

function countLog(reading: Connection): Rebuilt {
  const counted = reading
    .prepare<[], Rebuilt>("SELECT count(DISTINCT conversation_id) AS conversations, count(*) AS events FROM events")
    .get();
  if (!counted) throw new Error("The log could not be counted");
  return counted;
}
