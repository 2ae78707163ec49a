import type { Chat } from "grammy/types";

/** The conversation id of a chat. */
export function conversationIdOf(chatId: number): string {
  return `telegram:${chatId}`;
}

/** The chat of a conversation; null if it is not Telegram's. */
export function chatIdOf(conversationId: string | null): number | null {
  const digits = /^telegram:(-?[1-9]\d{0,15})$/.exec(conversationId ?? "")?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Our id of a message, always the same, for deduplication. */
export function messageIdOf(chatId: number, messageId: number): string {
  return `${conversationIdOf(chatId)}:${messageId}`;
}

/** Our id of a user. */
export function userIdOf(from: { id: number }): string {
  return `telegram:${from.id}`;
}

/** The title of a chat; undefined if Telegram has none. */
export function titleOf(chat: Pick<Chat, "title" | "first_name" | "last_name" | "username">): string | undefined {
  const person = [chat.first_name, chat.last_name].filter(Boolean).join(" ");
  return (chat.title || person || chat.username)?.slice(0, 500);
}
