import { eraseEvent, type Renames } from "../../lib/session/erasure.ts";
import type { SessionEvent } from "../../lib/session/event.ts";
import { searchedTexts } from "../../lib/session/searched-texts.ts";
import { slimOf } from "../../lib/session/slim.ts";
import { emptySummary, summarize } from "../../lib/session/summary.ts";
import type { Connection } from "./connection.ts";
import type { Erasing } from "./erasing.ts";
import { EVENT_COLUMNS, type EventRow, toEvent } from "./event-row.ts";
import { projectMessage, projectStanding, saveConversation } from "./projections.ts";
import { firstPlaceOf, placeOf } from "./search-place.ts";
import { prepareWrites } from "./statements.ts";
import { isFork } from "./unsearched.ts";
import type { Writer } from "./writer.ts";

// About as many as are erased in 5 ms: other writes go between.
const A_PAGE = 200;

export interface Erased {
  events: number;
  /** Positions of events by which agents' state was written. */
  states: number[];
}

/** Takes content out of events, and of all that is folded from them; on the writer's connection. */
export function createEraser(connection: Connection, writer: Writer, erasing: Erasing) {
  const statements = prepareStatements(connection);
  const writes = prepareWrites(connection);

  /** Erases an event in its place. Its conversation's id waits for all of it: seqs have no gaps meanwhile. */
  function erase(row: EventRow, renames: Renames): SessionEvent {
    const erased = { ...eraseEvent(toEvent(row), renames), conversation_id: row.conversation_id };
    const { call_id, instance } = slimOf(erased);
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

  return {
    /** Erases a whole conversation, page by page; at the end all that is told of it elsewhere. */
    async conversation(id: string, renames: Renames): Promise<Erased> {
      const states: number[] = [];
      const listed = statements.row.get(id);
      const searched = new SearchedAnew();
      let summary = emptySummary();
      for (let more = true; more; ) {
        more = await writer.submitPart(() => {
          const rows = statements.page.all(id, summary.last_seq, A_PAGE);
          for (const row of rows) {
            const event = erase(row, renames);
            statements.forgetMessage.run(row.position);
            projectMessage(writes, event);
            summary = summarize(summary, event);
            if (listed) searched.take(event, listed.position);
            if (event.type.startsWith("agent_state.")) states.push(row.position);
          }
          return rows.length === A_PAGE;
        });
      }
      const renamed = renames.id(id);
      await writer.submit(() => {
        statements.forgetSnapshots.run(id);
        statements.forgetBookmarks.run(id);
        forgetStanding(id);
        if (renamed !== id) for (const move of statements.moves) move.run(renamed, id);
        for (const event of statements.standing.all(renamed)) projectStanding(writes, toEvent(event));
        if (!listed) return;
        const { position, title } = listed;
        statements.forgetSearched.run(firstPlaceOf(position), firstPlaceOf(position + 1));
        for (const { place, text } of searched.upTo(statements.searchedTo.get() ?? -1))
          writes.insertSearched.run(place, text);
        if (renamed !== id) {
          statements.forgetName.run(position, id, title);
          statements.forgetRow.run(position);
        }
        saveConversation(writes, renamed, position, summary);
        erasing.note(id, position);
      });
      return { events: summary.event_count, states };
    },

    /** Erases events that belong to no conversation. */
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

/** What the index of the search has of a conversation once it is erased: the words that are left of it, as far as it has come. */
class SearchedAnew {
  readonly #documents: Document[] = [];
  #forked: number | null = null;

  take({ type, seq, position, payload }: SessionEvent, conversation: number): void {
    if (position >= 0 && isFork(type, payload)) this.#forked = position;
    const text = searchedTexts(type, payload)
      .map((one) => one.text)
      .join("\n");
    const place = placeOf(conversation, seq, type);
    if (text !== "" && place !== null) this.#documents.push({ place, text, position });
  }

  /** Of all events up to a position; a fork's history went in before the event that made the fork known. */
  upTo(to: number): Document[] {
    const hasHistory = this.#forked !== null && this.#forked <= to;
    return this.#documents.filter(({ position }) => (position < 0 ? hasHistory : position <= to));
  }
}

interface Document {
  place: bigint;
  text: string;
  position: number;
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
    searchedTo: connection.prepare<[], number>("SELECT position FROM search_progress").pluck(),
    forgetNotices: connection.prepare<[{ id: string }]>(
      `DELETE FROM notices WHERE subject IN (SELECT 'confirmation:' || id FROM confirmations WHERE conversation_id = :id
         UNION SELECT 'alert:' || id FROM alerts WHERE conversation_id = :id)`,
    ),
    forgetConfirmations: connection.prepare<[string]>("DELETE FROM confirmations WHERE conversation_id = ?"),
    forgetAlerts: connection.prepare<[string]>("DELETE FROM alerts WHERE conversation_id = ?"),
    forgetSnapshots: connection.prepare<[string]>("DELETE FROM snapshots WHERE conversation_id = ?"),
    forgetBookmarks: connection.prepare<[string]>("DELETE FROM bookmarks WHERE conversation_id = ?"),
    forgetSearched: connection.prepare<[from: bigint, to: bigint]>(
      "DELETE FROM event_search WHERE rowid >= ? AND rowid < ?",
    ),
    forgetName: connection.prepare<[position: number, id: string, title: string | null]>(
      "INSERT INTO conversation_search (conversation_search, rowid, id, title) VALUES ('delete', ?, ?, ?)",
    ),
    forgetRow: connection.prepare<[number]>("DELETE FROM conversations WHERE position = ?"),
    moves: [
      connection.prepare<[string, string]>("UPDATE events SET conversation_id = ? WHERE conversation_id = ?"),
      connection.prepare<[string, string]>("UPDATE messages SET conversation_id = ? WHERE conversation_id = ?"),
    ],
  };
}
