import { randomInt } from "node:crypto";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import type { BotApi } from "../../bot-api.ts";
import { withBotApi } from "./bot-api.ts";
import { type Reply, type TestServer, withServer } from "./server.ts";

export const TOKEN = "123456:AAE-very-secret_token";
export const SECRET = "very-secret-webhook";
/** The managers' chat. */
export const ADMINS = -100_777;

let updates = 500;
let chats = 1000;

/** Only the bundled CRM agent: users of the bot talk to it. */
function withCrmAlone(): string {
  const folder = mkdtempSync(join(tmpdir(), "obelus-agents-"));
  afterAll(() => rm(folder, { recursive: true }));
  const crm = JSON.parse(readFileSync(join(import.meta.dirname, "../../../agents/crm.json"), "utf8"));
  writeFileSync(join(folder, "crm.json"), JSON.stringify({ ...crm, default: true }));
  return folder;
}

/** The bundled agents: users of the bot talk to the administrator. */
export const SHIPPED = join(import.meta.dirname, "../../../agents");

/** A server with a bot, and a fake Telegram; model, agents and portal are the bundled ones. */
export function withTelegram({ agents = withCrmAlone() } = {}) {
  const botApi = withBotApi();
  const env = {
    OBELUS_AGENTS_DIR: agents,
    TELEGRAM_BOT_TOKEN: TOKEN,
    TELEGRAM_WEBHOOK_SECRET: SECRET,
    TELEGRAM_ADMIN_CHAT: String(ADMINS),
    OBELUS_LOG_LEVEL: "debug",
    get TELEGRAM_API_ROOT() {
      return botApi.root;
    },
  };
  const server = withServer(env, { logs: true });
  const post = (update: object, secret = SECRET) =>
    server.post("/api/telegram/webhook", update, { "x-telegram-bot-api-secret-token": secret });
  return {
    botApi,
    server,
    /** Sends an update as Telegram does. */
    post,
    person: (name: string, more: object = {}) => person({ botApi, server, post }, name, more),
    /** A message in a conversation. */
    async says(conversation: string, content: string) {
      const message = { conversation_id: conversation, role: "assistant", content };
      expect((await server.post("/api/messages", message)).status).toBe(201);
    },
  };
}

interface Place {
  botApi: BotApi;
  server: TestServer;
  post: (update: object) => Promise<Reply>;
}

/** A person who writes to the bot in a private chat. */
function person({ botApi, server, post }: Place, name: string, more: object) {
  chats += 1;
  const id = chats;
  const conversation = `telegram:${id}`;
  const from = { id, is_bot: false, first_name: name, last_name: "К.", language_code: "ru", ...more };
  const chat = { id, type: "private", first_name: name, last_name: "К." };
  let messages = randomInt(1_000_000);
  /** The update for a message with this content. */
  const update = (content: object) => {
    updates += 1;
    messages += 1;
    return { update_id: updates, message: { message_id: messages, date: 1_795_000_000, chat, from, ...content } };
  };
  const read = async (what: string) => (await server.get(`/api/conversations/${conversation}/${what}?limit=200`)).body;
  return {
    ...{ id, from, conversation, update },
    says: (text: string) => post(update({ text })),
    /** The conversation's messages in the API. */
    messages: async () => (await read("messages")).items,
    events: async () => (await read("events")).items,
    /** The bot's messages, once there are this many. */
    reads: async (count: number): Promise<string[]> => (await botApi.shown(id, count)).map(({ text }) => text),
  };
}
