import type { Chat } from "grammy/types";

/** A chat's conversation. */
export function conversationIdOf(chatId: number): string {
  return `telegram:${chatId}`;
}

/** The chat of a conversation; null for a conversation that is not Telegram's. */
export function chatIdOf(conversationId: string | null): number | null {
  const digits = /^telegram:(-?[1-9]\d{0,15})$/.exec(conversationId ?? "")?.[1];
  return digits === undefined ? null : Number(digits);
}

/** A message's id with us: the same one for the same message, so that it is taken once. */
export function messageIdOf(chatId: number, messageId: number): string {
  return `${conversationIdOf(chatId)}:${messageId}`;
}

/** A user's id with us. */
export function userIdOf(from: { id: number }): string {
  return `telegram:${from.id}`;
}

/** What a chat is called by; undefined where Telegram tells no name. */
export function titleOf(chat: Pick<Chat, "title" | "first_name" | "last_name" | "username">): string | undefined {
  const person = [chat.first_name, chat.last_name].filter(Boolean).join(" ");
  return (chat.title || person || chat.username)?.slice(0, 500);
}
