import { createHash, timingSafeEqual } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { TelegramStore } from "../../../db/repositories.ts";
import type { Json } from "../../session/json/json.ts";
import { createFeeds, type FeedNeeds } from "./feeds.ts";
import { createHandler, type HandlerNeeds } from "./handler.ts";
import { createInbox } from "./inbox.ts";
import { conversationIdOf } from "./names.ts";
import { createOutbox, type OutboxNeeds } from "./outbox.ts";
import { createSender, type Recipient, type SenderOptions } from "./sender.ts";
import { splitText } from "./text/split.ts";
import { isMessageUpdate } from "./update.ts";

/** A bot, as the operator has set it up. */
export interface BotSettings {
  token: string;
  /** What Telegram sends with each update. */
  webhookSecret: string;
  apiRoot: string;
  /** Where managers are alerted; null for nowhere. */
  adminChat: Recipient | null;
}

/** The chat of the managers. */
export interface AdminChat {
  /** Sends a text, once, in as many messages as it takes: null when it was taken, else why not. */
  send(text: string): Promise<string | null>;
}

/** The Telegram channel (D10). */
export interface Telegram {
  /** Tells, in constant time, whether an update comes from Telegram. */
  isGenuine(secret: string | null): boolean;
  /** Keeps an update, to be handled after; on disk when it resolves. What is no new message of a chat is let go. */
  take(update: Json): Promise<void>;
  /** Chats with something on its way to Obelus, or from it. */
  behind(): { inbox: number; outbox: number };
  /** Where managers read; null for nowhere. */
  adminChat: AdminChat | null;
  /** Goes on with what an earlier process left. Resolves when that has begun. */
  start(): Promise<void>;
  /** Waits, half a second at most, for what is under way. The signal has told it to stop before. */
  stop(): Promise<void>;
}

/** What the channel has of the server. */
export interface TelegramNeeds
  extends Omit<HandlerNeeds, "token">,
    Omit<FeedNeeds, "adminChat">,
    Omit<OutboxNeeds, "feedOf" | "sender" | "store" | keyof HandlerNeeds | keyof FeedNeeds> {
  log: HandlerNeeds["log"] & OutboxNeeds["log"];
  events: FeedNeeds["events"] & OutboxNeeds["events"];
  telegram: TelegramStore;
  waysOut: SenderOptions["waysOut"];
  logger: SenderOptions["logger"];
}

/** How long what is being sent may take when the server stops, in ms. */
const GRACE_MS = 500;

/** Makes the channel of one bot. It sends and handles nothing before it is started. */
export function createTelegram(bot: BotSettings, needs: TelegramNeeds): Telegram {
  const { telegram: store, stopping } = needs;
  const sender = createSender({ ...bot, ...needs });
  const inbox = createInbox({ ...needs, store, handle: createHandler({ ...needs, token: bot.token }) });
  const outbox = createOutbox({ ...needs, store, sender, feedOf: createFeeds({ ...needs, adminChat: bot.adminChat }) });

  async function sendTo(chat: Recipient, text: string): Promise<string | null> {
    for (const part of splitText({ text, entities: [] })) {
      const failure = await sender.attempt(chat, part);
      if (failure) return failure.why;
    }
    return null;
  }

  const { adminChat } = bot;
  return {
    adminChat: adminChat === null ? null : { send: (text) => sendTo(adminChat, text) },
    isGenuine: (secret) => isSame(secret ?? "", bot.webhookSecret),
    async take(update) {
      if (!isMessageUpdate(update)) return;
      const conversation_id = conversationIdOf(update.message.chat.id);
      const isNew = await store.receive({ update_id: update.update_id, conversation_id, update });
      if (isNew && !stopping.aborted) inbox.wake(conversation_id);
    },
    behind: () => ({ inbox: inbox.behind(), outbox: outbox.behind() }),
    async start() {
      await inbox.start();
      await outbox.start();
    },
    async stop() {
      await Promise.race([Promise.all([inbox.idle(), outbox.idle()]), sleep(GRACE_MS, undefined, { ref: false })]);
    },
  };
}

/** Compares in a time that tells nothing of the secret, its length included (D10). */
function isSame(given: string, secret: string): boolean {
  return timingSafeEqual(digest(given), digest(secret));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
