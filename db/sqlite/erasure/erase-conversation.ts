import type { Renames } from "../../../lib/session/erasure/erasure.ts";
import type { SessionEvent } from "../../../lib/session/event.ts";
import { indexColumnsOf } from "../../../lib/session/events/event-index-columns.ts";
import { emptySummary, summarize } from "../../../lib/session/summary/summary.ts";
import { caseNameOf } from "../../../lib/suites/case-id.ts";
import { erasedEvent, searchedText } from "../../erasure/erased-event.ts";
import type { Erasing } from "../../erasure/erasing.ts";
import { EVENT_COLUMNS, type EventRow, toEvent } from "../../log/event-row.ts";
import { projectMessage, projectStanding, saveConversation } from "../../projections/projections.ts";
import { placeOf } from "../../search/search-place.ts";
import type { Connection } from "../connection.ts";
import { prepareWrites } from "../log/statements.ts";
import type { Writer } from "../log/writer.ts";
import { createRollupWrites } from "../rollup/rollup-writes.ts";

// How many are erased in 5 ms, between other writes.
const A_PAGE = 200;

// How many are renamed in 10 ms.
const A_MOVE = 1_000;

export interface Erased {
  events: number;
  /** Positions of events that wrote agent state. */
  states: number[];
}

/** Erases events and their projections, on the writer's connection. */
export function createEraser(connection: Connection, writer: Writer, erasing: Erasing) {
  const statements = prepareStatements(connection);
  const writes = prepareWrites(connection);
  const rollup = createRollupWrites(connection);

  /** Erases an event in place. */
  function erase(row: EventRow, renames: Renames): SessionEvent {
    const erased = erasedEvent(row, renames);
    const { call_id, instance } = indexColumnsOf(erased);
    statements.rewrite.run(
      erased.id,
      erased.actor,
      erased.agent_id,
      erased.run_id,
      erased.parent_run_id,
      erased.caused_by,
      call_id,
      instance,
      JSON.stringify(erased.payload),
      row.position,
    );
    return erased;
  }

  /** Replaces the indexed words of an event by those of its remaining content, if it is indexed. */
  function searchAnew(event: SessionEvent, conversation: number, isIndexed: boolean): void {
    const place = placeOf(conversation, event.seq, event.type);
    if (place === null) return;
    statements.forgetSearched.run(place);
    const text = searchedText(event);
    if (isIndexed && text !== "") writes.insertSearched.run(place, text);
  }

  return {
    /** Erases a conversation page by page, and at the end everything derived from it. */
    async conversation(id: string, renames: Renames): Promise<Erased> {
      const states: number[] = [];
      const listed = statements.row.get(id);
      const renamed = renames.id(id);
      const forkedAt = statements.firstOwn.get(id) ?? statements.firstOwn.get(renamed) ?? null;
      let summary = emptySummary();
      /** The first step that was not indexed yet when it was erased. */
      let unindexedFrom = Number.POSITIVE_INFINITY;
      // A fork's history is indexed before the event that makes the fork visible.
      const isIndexed = ({ position }: EventRow, searchedTo: number) => {
        const indexedWith = position < 0 ? forkedAt : position;
        return indexedWith !== null && indexedWith <= searchedTo;
      };
      for (let more = true; more; ) {
        more = await writer.submitPart(() => {
          const rows = statements.page.all(id, summary.last_seq, A_PAGE);
          // What a reader thread has read for the index is outdated.
          if (rows.length === 0 && renamed !== id) rows.push(...statements.page.all(renamed, summary.last_seq, A_PAGE));
          const searchedTo = statements.searchedTo.get() ?? -1;
          // What a reader thread has read for the index is outdated.
          if (listed) erasing.note(id, listed.position);
          for (const row of rows) {
            const event = erase(row, renames);
            statements.forgetMessage.run(row.position);
            projectMessage(writes, event);
            summary = summarize(summary, event);
            if (listed) searchAnew(event, listed.position, isIndexed(row, searchedTo));
            if (!isIndexed(row, searchedTo)) unindexedFrom = Math.min(unindexedFrom, row.seq);
            if (event.type.startsWith("agent_state.")) states.push(row.position);
          }
          return rows.length > 0;
        });
      }
      // From the end, so that what remains under the old name has no gaps.
      if (renamed !== id)
        for (let from = summary.last_seq; from > 0; from -= A_MOVE)
          await writer.submitPart(() => {
            for (const move of statements.moves) move.run(renamed, id, from - A_MOVE);
          });
      await writer.submit(() => {
        statements.forgetSnapshots.run(id);
        statements.forgetTimeline.run(id);
        statements.forgetBookmarks.run(id);
        statements.forgetScores.run(id);
        statements.forgetQueued.run(id);
        statements.forgetMentions.run(id);
        statements.forgetNotes.run(id);
        const prefix = `${caseNameOf(id)}:`;
        for (const forget of statements.forgetCases) forget.run({ id, prefix });
        forgetStanding(id);
        for (const event of statements.standing.all(renamed)) projectStanding(writes, toEvent(event));
        // Also of one that retention has removed: a case of it may be under way.
        erasing.note(id, listed?.position ?? null);
        if (!listed) return;
        const { position, title } = listed;
        if (renamed !== id) {
          statements.forgetName.run(position, id, title);
          statements.forgetRow.run(position);
        }
        saveConversation(writes, renamed, position, summary);
        rollup.countAgain(position);
      });
      // While it had two names, the index passed over its events under the new one.
      for (let from = unindexedFrom; listed && Number.isFinite(from); ) {
        const after = from - 1;
        from = await writer.submitPart(() => {
          const rows = statements.page.all(renamed, after, A_PAGE);
          const searchedTo = statements.searchedTo.get() ?? -1;
          for (const row of rows) searchAnew(toEvent(row), listed.position, isIndexed(row, searchedTo));
          const last = rows.at(-1);
          return last ? last.seq + 1 : Number.POSITIVE_INFINITY;
        });
      }
      return { events: summary.event_count, states };
    },

    /** Erases events without a conversation. */
    async outside(positions: readonly number[], renames: Renames): Promise<void> {
      for (let from = 0; from < positions.length; from += A_PAGE)
        await writer.submitPart(() => {
          for (const position of positions.slice(from, from + A_PAGE)) {
            const row = writes.eventAt.get(position);
            if (row) erase(row, renames);
          }
        });
    },
  };

  function forgetStanding(id: string): void {
    statements.forgetNotices.run({ id });
    statements.forgetConfirmations.run(id);
    statements.forgetAlerts.run(id);
  }
}

function prepareStatements(connection: Connection) {
  return {
    page: connection.prepare<[string, number, number], EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events WHERE conversation_id = ? AND seq > ? ORDER BY seq LIMIT ?`,
    ),
    rewrite: connection.prepare(
      `UPDATE events SET id = ?, actor = ?, agent_id = ?, run_id = ?, parent_run_id = ?, caused_by = ?, call_id = ?,
         instance = ?, payload = ? WHERE position = ?`,
    ),
    forgetMessage: connection.prepare<[number]>("DELETE FROM messages WHERE position = ?"),
    row: connection.prepare<[string], { position: number; title: string | null }>(
      "SELECT position, title FROM conversations WHERE id = ?",
    ),
    standing: connection.prepare<[string], EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events
       WHERE conversation_id = ? AND position >= 0 AND (type GLOB 'confirmation.*' OR type IN ('manager.alerted', 'conversation.handed_back')
         OR (type = 'call.started' AND payload ->> '$.confirmation_id' IS NOT NULL)) ORDER BY position`,
    ),
    firstOwn: connection
      .prepare<[string], number>(
        "SELECT position FROM events WHERE conversation_id = ? AND position >= 0 ORDER BY seq LIMIT 1",
      )
      .pluck(),
    searchedTo: connection.prepare<[], number>("SELECT position FROM search_progress").pluck(),
    forgetNotices: connection.prepare<[{ id: string }]>(
      `DELETE FROM notices WHERE subject IN (SELECT 'confirmation:' || id FROM confirmations WHERE conversation_id = :id
         UNION SELECT 'alert:' || id FROM alerts WHERE conversation_id = :id)`,
    ),
    forgetConfirmations: connection.prepare<[string]>("DELETE FROM confirmations WHERE conversation_id = ?"),
    forgetAlerts: connection.prepare<[string]>("DELETE FROM alerts WHERE conversation_id = ?"),
    forgetSnapshots: connection.prepare<[string]>("DELETE FROM snapshots WHERE conversation_id = ?"),
    forgetTimeline: connection.prepare<[string]>("DELETE FROM timeline_chunks WHERE conversation_id = ?"),
    forgetBookmarks: connection.prepare<[string]>("DELETE FROM bookmarks WHERE conversation_id = ?"),
    forgetMentions: connection.prepare<[string]>(
      "DELETE FROM notices WHERE subject IN (SELECT 'mention:' || id FROM notes WHERE conversation_id = ?)",
    ),
    forgetNotes: connection.prepare<[string]>("DELETE FROM notes WHERE conversation_id = ?"),
    forgetQueued: connection.prepare<[string]>("DELETE FROM queue WHERE conversation_id = ?"),
    forgetScores: connection.prepare<[string]>("DELETE FROM scores WHERE conversation_id = ?"),
    // Also of cases that were removed before: their ids have the conversation's, and runs keep them. All tries are too many to look through.
    forgetCases: [
      `DELETE FROM suite_tries WHERE (run_id, case_id) IN
         (SELECT suite_runs.id, value FROM suite_runs, json_each(cases) WHERE ${HAS_CASE} AND ${IS_CASE})`,
      `UPDATE suite_runs SET cases = (SELECT json_group_array(value) FROM json_each(cases) WHERE NOT ${IS_CASE}) WHERE ${HAS_CASE}`,
      "DELETE FROM suite_cases WHERE conversation_id = :id",
    ].map((statement) => connection.prepare<[{ id: string; prefix: string }]>(statement)),
    forgetSearched: connection.prepare<[place: bigint]>("DELETE FROM event_search WHERE rowid = ?"),
    forgetName: connection.prepare<[position: number, id: string, title: string | null]>(
      "INSERT INTO conversation_search (conversation_search, rowid, id, title) VALUES ('delete', ?, ?, ?)",
    ),
    forgetRow: connection.prepare<[number]>("DELETE FROM conversations WHERE position = ?"),
    moves: [
      connection.prepare<[string, string, number]>(
        "UPDATE events SET conversation_id = ? WHERE conversation_id = ? AND seq > ?",
      ),
      connection.prepare<[string, string, number]>(
        "UPDATE messages SET conversation_id = ? WHERE conversation_id = ? AND seq > ?",
      ),
    ],
  };
}

/** Runs that may have cases of a conversation: of those with such an id, which begins with `prefix`, and of those with its cases. */
const HAS_CASE = `(instr(cases, '"' || :prefix) > 0 OR suite IN (SELECT suite FROM suite_cases WHERE conversation_id = :id))`;

/** Whether an id of a run's is such: the step follows the prefix, or the case is the conversation's. */
const IS_CASE = `((substr(value, 1, length(:prefix)) = :prefix AND substr(value, length(:prefix) + 1) NOT GLOB '*[^0-9]*')
  OR value IN (SELECT id FROM suite_cases WHERE conversation_id = :id AND suite_cases.suite = suite_runs.suite))`;
