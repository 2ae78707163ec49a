import { bookmarkWrites } from "../../log/bookmark-writes.ts";
import type { LogWriter } from "../../log/log-writer.ts";
import { BOOKMARK_COLUMNS, type BookmarkRow, toBookmark } from "../../queries/bookmark-row.ts";
import type { BookmarkStore } from "../../repositories.ts";
import type { Queries } from "../database.ts";
import { exists } from "./select.ts";

export function createBookmarkStore(queries: Queries, writer: LogWriter): BookmarkStore {
  return {
    async list(id) {
      if (!(await exists(queries, id))) return null;
      const rows = await queries.rows<BookmarkRow>(
        `SELECT ${BOOKMARK_COLUMNS} FROM bookmarks WHERE conversation_id = $1 ORDER BY seq`,
        [id],
      );
      return rows.map(toBookmark);
    },
    ...bookmarkWrites(writer),
  };
}
