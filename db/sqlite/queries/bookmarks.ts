import { OutOfRange } from "../../errors.ts";
import type { Transaction } from "../../log/transaction.ts";
import { BOOKMARK_COLUMNS, type BookmarkRow, toBookmark } from "../../queries/bookmark-row.ts";
import type { BookmarkStore } from "../../repositories.ts";
import { toIso } from "../../times.ts";
import type { Connection } from "../connection.ts";
import type { Writer } from "../log/writer.ts";

/** Bookmarks in SQLite; they are written in the writer's transactions. */
export function createBookmarkStore(reading: Connection, writer: Writer): BookmarkStore {
  const exists = reading.prepare<[string], 1>("SELECT 1 FROM conversations WHERE id = ?").pluck();
  const list = reading.prepare<[string], BookmarkRow>(
    `SELECT ${BOOKMARK_COLUMNS} FROM bookmarks WHERE conversation_id = ? ORDER BY seq`,
  );
  return {
    async list(id) {
      return exists.get(id) === undefined ? null : list.all(id).map(toBookmark);
    },
    put: (id, { seq, note, by }) =>
      writer.submit((transaction) => {
        const last = lastStep(transaction, id, seq);
        if (last === null) return null;
        const known = transaction.bookmark(id, seq);
        const bookmark = transaction.redactedBookmark({
          seq,
          note,
          by,
          at: toIso(transaction.recordedAt),
          set_seq: last,
        });
        if (known?.note === bookmark.note) return { bookmark: known, changed: false };
        transaction.saveBookmark(id, bookmark);
        return { bookmark, changed: true };
      }),
    remove: (id, seq) =>
      writer.submit((transaction) =>
        lastStep(transaction, id, seq) === null ? null : { removed: transaction.removeBookmark(id, seq) },
      ),
  };
}

/** The conversation's last step; null where there is no such conversation. Throws `OutOfRange` where it has no step `seq`. */
function lastStep(transaction: Transaction, id: string, seq: number): number | null {
  const summary = transaction.summary(id);
  if (!summary) return null;
  const { last_seq } = summary;
  if (seq > last_seq) throw new OutOfRange(`The session has steps 0 to ${last_seq}; bookmark one of them`, last_seq);
  return last_seq;
}
