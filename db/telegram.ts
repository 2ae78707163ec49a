import type { Json } from "../lib/session/json/json.ts";

/** So long Telegram counts on without a gap, ms: a bot that rests for longer may be given the same ids again. */
export const REMEMBERED_UPDATES_MS = 7 * 24 * 3_600_000;

/** An update of Telegram's Bot API as it came in. */
export interface TelegramUpdate {
  /** The bot's own count; Telegram sends an update again under the same one. */
  update_id: number;
  /** The chat's conversation. */
  conversation_id: string;
  update: Json;
}

/** How far the log has been sent. */
export interface TelegramProgress {
  /** Everything up to this place in the log has been sent, or was never to be. */
  position: number;
  /** Of the next message so many parts were sent. */
  parts: number;
}

/** What the Telegram channel keeps beside the log (D10). */
export interface TelegramStore {
  /**
   * Keeps an update, and with a conversation's first one begins to follow it. On disk when it resolves. Tells whether it
   * is new: one that came within the week before is not.
   */
  receive(update: TelegramUpdate): Promise<boolean>;
  /** The conversations whose updates have not all been handled. */
  waiting(): Promise<string[]>;
  /** A conversation's updates that have not been handled, in the order of their ids. */
  unhandled(conversationId: string): Promise<TelegramUpdate[]>;
  /** Forgets the update but for its id. */
  handled(updateId: number): Promise<void>;
  /** Begins to follow the log under a name, from where it stands; what is followed already goes on. */
  follow(name: string): Promise<void>;
  /** The conversations that are followed and have a message after the place that they were sent up to. */
  behind(): Promise<string[]>;
  /** How far what is followed under this name has been sent; null where nothing is. */
  progress(name: string): Promise<TelegramProgress | null>;
  /** On disk when it resolves. */
  advance(name: string, progress: TelegramProgress): Promise<void>;
}
