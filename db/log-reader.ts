import type { SessionEvent } from "../lib/session/event.ts";

/** Reads the log in another thread, page by page. */
export interface LogReader {
  /** See `Events.list`. */
  list(conversationId: string, page: { after: number; limit: number }): SessionEvent[] | Promise<SessionEvent[]>;
  /** See `Events.since`. */
  since(position: number, page: { conversationId?: string; limit: number }): SessionEvent[] | Promise<SessionEvent[]>;
  close(): void | Promise<void>;
}
