import { OutOfRange } from "../errors.ts";
import type { BookmarkStore } from "../repositories.ts";
import { toIso } from "../times.ts";
import type { LogWriter } from "./log-writer.ts";
import type { Transaction } from "./transaction.ts";

/** How bookmarks are written, in the transactions of the log. */
export function bookmarkWrites(writer: LogWriter): Pick<BookmarkStore, "put" | "remove"> {
  return {
    put: (id, { seq, note, by }) =>
      writer.submit((transaction) => {
        const last = lastStep(transaction, id, seq);
        if (last === null) return null;
        const known = transaction.annotations.bookmark(id, seq);
        const bookmark = transaction.annotations.redactedBookmark({
          seq,
          note,
          by,
          at: toIso(transaction.recordedAt),
          set_seq: last,
        });
        if (known?.note === bookmark.note) return { bookmark: known, changed: false };
        transaction.annotations.saveBookmark(id, bookmark);
        return { bookmark, changed: true };
      }),
    remove: (id, seq) =>
      writer.submit((transaction) =>
        lastStep(transaction, id, seq) === null ? null : { removed: transaction.annotations.removeBookmark(id, seq) },
      ),
  };
}

/** The conversation's last step; null where there is no such conversation. Throws `OutOfRange` where it has no step `seq`. */
function lastStep(transaction: Transaction, id: string, seq: number): number | null {
  const summary = transaction.summary(id);
  if (!summary) return null;
  const { last_seq } = summary;
  if (seq > last_seq)
    throw new OutOfRange(`The session has steps 0 to ${last_seq}; bookmark one of them`, last_seq, "seq");
  return last_seq;
}
