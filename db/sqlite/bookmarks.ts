import { type Bookmark, bookmarksOf } from "../../lib/session/bookmarks.ts";
import type { Connection } from "./connection.ts";
import { EVENT_COLUMNS, type EventRow, toEvent } from "./event-row.ts";

/** The steps of a conversation that are bookmarked now, in their order. Null: no such conversation. */
export function readBookmarks(connection: Connection, conversationId: string): Bookmark[] | null {
  const exists = connection.prepare<[string]>("SELECT 1 FROM conversations WHERE id = ?").get(conversationId);
  if (!exists) return null;
  const rows = connection
    .prepare<[string], EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events WHERE conversation_id = ?
       AND type IN ('conversation.bookmarked', 'conversation.unbookmarked') ORDER BY seq`,
    )
    .all(conversationId);
  return bookmarksOf(rows.map(toEvent));
}
