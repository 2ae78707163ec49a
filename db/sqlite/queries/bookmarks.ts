import { bookmarkWrites } from "../../log/bookmark-writes.ts";
import type { LogWriter } from "../../log/log-writer.ts";
import { BOOKMARK_COLUMNS, type BookmarkRow, toBookmark } from "../../queries/bookmark-row.ts";
import type { BookmarkStore } from "../../repositories.ts";
import type { Connection } from "../connection.ts";

/** Bookmarks in SQLite; they are written in the writer's transactions. */
export function createBookmarkStore(reading: Connection, writer: LogWriter): BookmarkStore {
  const exists = reading.prepare<[string], 1>("SELECT 1 FROM conversations WHERE id = ?").pluck();
  const list = reading.prepare<[string], BookmarkRow>(
    `SELECT ${BOOKMARK_COLUMNS} FROM bookmarks WHERE conversation_id = ? ORDER BY seq`,
  );
  return {
    async list(id) {
      return exists.get(id) === undefined ? null : list.all(id).map(toBookmark);
    },
    ...bookmarkWrites(writer),
  };
}
