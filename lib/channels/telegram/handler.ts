import { randomUUIDv7 } from "node:crypto";
import { Bot, BotError, type Context } from "grammy";
import type { UserFromGetMe } from "grammy/types";
import type { Conversations, Log, NewEvent } from "../../../db/repositories.ts";
import { localeOf } from "../../dialog/locale.ts";
import type { Turns } from "../../dialog/turns.ts";
import { isTakenOver } from "../../engine/errors.ts";
import type { Json } from "../../session/json/json.ts";
import type { Locale } from "../../session/locale.ts";
import { conversationIdOf, messageIdOf, titleOf, userIdOf } from "./names.ts";
import { isMessageUpdate } from "./update.ts";
import { WORDS } from "./words.ts";

/** Content that is not text. Other messages are about the chat itself, and need no answer. */
const UNREADABLE = [
  ...["animation", "audio", "document", "paid_media", "photo", "sticker", "story", "video", "video_note", "voice"],
  ...["checklist", "contact", "dice", "game", "location", "poll", "venue"],
] as const;

/** What the handler depends on. */
export interface HandlerNeeds {
  token: string;
  turns: Pick<Turns, "take">;
  conversations: Pick<Conversations, "get">;
  log: Pick<Log, "append" | "createConversation">;
}

/** A received message. */
interface Sent {
  chat: Context["chat"] & object;
  from: Context["from"] & object;
  message: Context["message"] & object;
}

/**
 * Creates the handler of updates: a text starts a turn of its user, anything else that a person sends gets a standard
 * reply. Handling an update again changes nothing.
 */
export function createHandler({ token, turns, conversations, log }: HandlerNeeds): (update: Json) => Promise<void> {
  const bot = new Bot(token, { botInfo: botInfoOf(token) });

  bot.on("message:text", async (context) => {
    const { chat, from, message } = context;
    if (from.is_bot) return;
    await open({ chat, from, message });
    await turns.take({
      conversation_id: conversationIdOf(chat.id),
      content: message.text,
      role: "user",
      operator: null,
      by: "program",
      user_id: userIdOf(from),
      message_id: messageIdOf(chat.id, message.message_id),
    });
  });

  bot.on("message", async ({ chat, from, message }) => {
    const kind = UNREADABLE.find((one) => Object.hasOwn(message, one));
    if (kind === undefined || from.is_bot) return;
    const sent = { chat, from, message };
    await open(sent);
    const [came, answer] = await politeAnswer(sent, kind);
    try {
      await log.append(answer ? [came, answer] : [came], "server");
    } catch (error) {
      // A manager has just taken over: the message is recorded, and the manager answers it.
      if (!isTakenOver(error)) throw error;
      await log.append([came], "server");
    }
  });

  async function open({ chat, from }: Sent): Promise<void> {
    const title = titleOf(chat);
    const payload = { channel: "telegram", user_id: userIdOf(from), ...(title !== undefined && { title }) };
    await log.createConversation(
      { ...blank(chat.id, randomUUIDv7()), type: "conversation.created", payload },
      "server",
    );
  }

  /** Records the message for the console, and the reply, unless a manager has taken over (D11). */
  async function politeAnswer({ chat, from, message }: Sent, kind: string): Promise<[NewEvent, NewEvent?]> {
    const id = messageIdOf(chat.id, message.message_id);
    const { caption = "" } = message;
    const came = spoken(chat.id, id, "user", `[${kind}] ${caption}`.trim(), `user:${userIdOf(from)}`);
    const conversation = await conversations.get(conversationIdOf(chat.id));
    if (conversation?.taken_over) return [came];
    const locale = localeOf(caption) ?? languageOf(from.language_code);
    return [came, spoken(chat.id, `${id}:answer`, "assistant", WORDS[locale].textOnly, "system")];
  }

  return async (update) => {
    if (!isMessageUpdate(update)) return;
    try {
      await bot.handleUpdate(update);
    } catch (error) {
      // The error contains the whole context with the token, which would be logged.
      throw error instanceof BotError ? error.error : error;
    }
  };
}

/** Telegram's language code of a user, such as `ru` or `pt-br`; optional. */
function languageOf(code = "ru"): Locale {
  return /^ru\b/.test(code) ? "ru" : "en";
}

function spoken(chatId: number, id: string, role: "user" | "assistant", content: string, actor: string): NewEvent {
  return { ...blank(chatId, id), type: "message.created", actor, payload: { message_id: id, role, content } };
}

function blank(chatId: number, id: string): Omit<NewEvent, "type" | "payload"> & { conversation_id: string } {
  return {
    ...{ id, conversation_id: conversationIdOf(chatId), actor: null, agent_id: null, run_id: null },
    ...{ parent_run_id: null, caused_by: null, occurred_at: null },
  };
}

/** The bot's description for the library. Its id is in the token; the rest is not used here. */
function botInfoOf(token: string): UserFromGetMe {
  return {
    id: Number(token.split(":")[0]),
    is_bot: true,
    first_name: "Obelus",
    username: "obelus",
    can_join_groups: true,
    can_read_all_group_messages: false,
    supports_inline_queries: false,
    can_connect_to_business: false,
    has_main_web_app: false,
    has_topics_enabled: false,
    allows_users_to_create_topics: false,
    can_manage_bots: false,
    supports_join_request_queries: false,
  };
}
