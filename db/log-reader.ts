import type { SessionEvent } from "../lib/session/event.ts";
import type { PrintedEvent } from "./log/event-row.ts";

/** Reads the log in another thread, page by page. */
export interface LogReader {
  /** See `Events.list`. */
  list(conversationId: string, page: { after: number; limit: number }): SessionEvent[] | Promise<SessionEvent[]>;
  /** The events of `Events.since`, as JSON. */
  since(position: number, page: { conversationId?: string; limit: number }): PrintedEvent[] | Promise<PrintedEvent[]>;
  close(): void | Promise<void>;
}
