import type { Bookmark } from "../../lib/session/bookmarks.ts";
import { toIso } from "../times.ts";

/** A bookmark as the table has it: the time in epoch ms. */
export interface BookmarkRow extends Omit<Bookmark, "at"> {
  at: number;
}

/** The columns of a `BookmarkRow`, for a SELECT. */
export const BOOKMARK_COLUMNS = "seq, note, by, at, set_seq";

export function toBookmark(row: BookmarkRow): Bookmark {
  return { ...row, at: toIso(row.at) };
}
