import type { Bookmark } from "../lib/session/bookmarks.ts";

/** The marked steps of conversations. They stand beside the log, and no projection of it: a rebuild leaves them as they are. */
export interface BookmarkStore {
  /** In the order of the steps. Null: no such conversation. */
  list(conversationId: string): Promise<Bookmark[] | null>;
  /**
   * Marks a step, or changes its note, unless it stands so already; tells which. Throws `OutOfRange` naming the last step, or
   * `Conflict` while the conversation is being erased. Null: no such conversation.
   */
  put(
    conversationId: string,
    bookmark: Pick<Bookmark, "seq" | "note" | "by">,
  ): Promise<{ bookmark: Bookmark; changed: boolean } | null>;
  /** Takes a step's bookmark away; tells whether there was one. Throws and gives null as `put`. */
  remove(conversationId: string, seq: number): Promise<{ removed: boolean } | null>;
}
