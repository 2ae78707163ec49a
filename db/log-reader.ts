import type { SessionEvent } from "../lib/session/event.ts";

/** The log as a thread of its own reads it, page after page, beside the writer. */
export interface LogReader {
  /** See `Events.list`. */
  list(conversationId: string, page: { after: number; limit: number }): SessionEvent[];
  /** See `Events.since`. */
  since(position: number, page: { conversationId?: string; limit: number }): SessionEvent[];
  close(): void;
}
