import type { Json } from "../lib/session/json/json.ts";

/** So long Telegram counts on without a gap, ms: a bot that rests for longer may be given the same ids again. */
export const REMEMBERED_UPDATES_MS = 7 * 24 * 3_600_000;

/** An update of Telegram's Bot API as it came in. */
export interface TelegramUpdate {
  /** The bot's counter; Telegram repeats an update under the same id. */
  update_id: number;
  /** The conversation of the chat. */
  conversation_id: string;
  update: Json;
}

/** The progress of sending the log. */
export interface TelegramProgress {
  /** Everything up to this position has been sent, or need not be. */
  position: number;
  /** The number of parts sent of the next message. */
  parts: number;
}

/** The state of the Telegram channel outside the log (D10). */
export interface TelegramStore {
  /**
   * Stores an update durably, and subscribes its conversation with the first one. Returns whether it is new: not if it
   * was received within the last week.
   */
  receive(update: TelegramUpdate): Promise<boolean>;
  /** Conversations with unhandled updates. */
  waiting(): Promise<string[]>;
  /** A conversation's unhandled updates, by id. */
  unhandled(conversationId: string): Promise<TelegramUpdate[]>;
  /** Deletes the update except its id. */
  handled(updateId: number): Promise<void>;
  /** Subscribes a name from the log's end on; does nothing for an existing one. */
  follow(name: string): Promise<void>;
  /** Subscribed conversations with messages after their position. */
  behind(): Promise<string[]>;
  /** The progress of a subscription; null if there is none. */
  progress(name: string): Promise<TelegramProgress | null>;
  /** Durable when it resolves. */
  advance(name: string, progress: TelegramProgress): Promise<void>;
}
