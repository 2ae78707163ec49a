import { createHash, timingSafeEqual } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Replicas } from "../../../db/replicas.ts";
import type { TelegramStore } from "../../../db/repositories.ts";
import type { Json } from "../../session/json/json.ts";
import { createFeeds, type FeedNeeds } from "./feeds.ts";
import { createHandler, type HandlerNeeds } from "./handler.ts";
import { createInbox, type Inbox } from "./inbox.ts";
import { conversationIdOf } from "./names.ts";
import { createOutbox, type Outbox, type OutboxNeeds } from "./outbox.ts";
import { createSender, type Recipient, type SenderOptions } from "./sender.ts";
import { splitText } from "./text/split.ts";
import { isMessageUpdate } from "./update.ts";

/** The operator's configuration of a bot. */
export interface BotSettings {
  token: string;
  /** The secret that Telegram sends with each update. */
  webhookSecret: string;
  apiRoot: string;
  /** The chat for alerts; null for none. */
  adminChat: Recipient | null;
}

/** The managers' chat. */
export interface AdminChat {
  /** Sends a text once, split into messages if needed; null when accepted, else the reason. */
  send(text: string): Promise<string | null>;
}

/** The Telegram channel (D10). */
export interface Telegram {
  /** Whether an update comes from Telegram; compares in constant time. */
  isGenuine(secret: string | null): boolean;
  /** Stores an update durably, to be handled later. Updates that are not new messages are ignored. */
  take(update: Json): Promise<void>;
  /** The number of chats with incoming or outgoing messages in progress. */
  behind(): { inbox: number; outbox: number };
  /** The managers' chat; null for none. */
  adminChat: AdminChat | null;
  /** Continues with what an earlier process left, until it is stopped. Resolves when that has started. May be repeated. */
  start(): Promise<void>;
  /** Waits for requests in progress, half a second at most. */
  stop(): Promise<void>;
}

/** What the channel depends on. */
export interface TelegramNeeds
  extends Omit<HandlerNeeds, "token">,
    Omit<FeedNeeds, "adminChat">,
    Omit<OutboxNeeds, "feedOf" | "sender" | "store" | "replicas" | keyof HandlerNeeds | keyof FeedNeeds> {
  log: HandlerNeeds["log"] & OutboxNeeds["log"];
  events: FeedNeeds["events"] & OutboxNeeds["events"];
  telegram: TelegramStore;
  /** One of them handles updates and sends messages. */
  replicas: Pick<Replicas, "tell" | "hear"> & OutboxNeeds["replicas"];
  openEgress: SenderOptions["openEgress"];
  logger: SenderOptions["logger"];
}

/** How long sending may continue when the server stops, ms. */
const GRACE_MS = 500;

/** An update at another replica is found after this time even if its notice was lost, ms. */
const LOOK_MS = 5_000;

/** Creates the channel of a bot. It does nothing before it is started. */
export function createTelegram(bot: BotSettings, needs: TelegramNeeds): Telegram {
  const { telegram: store, replicas } = needs;
  const sender = createSender({ ...bot, ...needs });
  const handle = createHandler({ ...needs, token: bot.token });
  const feedOf = createFeeds({ ...needs, adminChat: bot.adminChat });
  /** Null: another replica does it, or none yet. */
  let running: { inbox: Inbox; outbox: Outbox; stop: AbortController } | null = null;
  replicas.hear("telegram", (conversationId) => running?.inbox.wake(conversationId));

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
      if (!isNew || needs.stopping.aborted) return;
      if (running) running.inbox.wake(conversation_id);
      else replicas.tell("telegram", conversation_id);
    },
    behind: () => ({ inbox: running?.inbox.behind() ?? 0, outbox: running?.outbox.behind() ?? 0 }),
    async start() {
      const stop = new AbortController();
      const stopping = AbortSignal.any([needs.stopping, stop.signal]);
      const inbox = createInbox({ ...needs, store, handle, stopping });
      const outbox = createOutbox({ ...needs, store, sender, feedOf, stopping });
      running = { inbox, outbox, stop };
      await inbox.start();
      await outbox.start();
      const timer = setInterval(() => void inbox.start().catch(() => undefined), LOOK_MS).unref();
      stopping.addEventListener("abort", () => clearInterval(timer));
    },
    async stop() {
      if (!running) return;
      const { inbox, outbox, stop } = running;
      running = null;
      stop.abort();
      await Promise.race([Promise.all([inbox.idle(), outbox.idle()]), sleep(GRACE_MS, undefined, { ref: false })]);
    },
  };
}

/** Compares in constant time, also for different lengths (D10). */
function isSame(given: string, secret: string): boolean {
  return timingSafeEqual(digest(given), digest(secret));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
