import { setWebhook } from "../../lib/channels/telegram/webhook.ts";
import { createEgressPolicy } from "../../lib/outgoing/egress.ts";
import { readConfig } from "../../lib/server/config.ts";
import { Refusal } from "./call-server.ts";

/** Registers the address for the bot's updates with Telegram. */
export async function registerWebhook(url: string): Promise<void> {
  const address = webhookAddress(url);
  const { telegram, privateHosts } = readConfig(process.env);
  if (!telegram) throw new Refusal("TELEGRAM_BOT_TOKEN is not set; set it to the token that @BotFather gives");
  const refusal = await setWebhook(telegram, address, createEgressPolicy(privateHosts));
  if (refusal !== null) throw new Refusal(`Telegram rejected the webhook: ${refusal}`);
  console.log(`Telegram sends the bot's updates to ${address}`);
}

/**
 * The full address; one without a path gets that of the webhook. Throws a `Refusal` for an address that Telegram does
 * not support.
 */
function webhookAddress(given: string): string {
  const url = URL.parse(given);
  if (url?.protocol !== "https:")
    throw new Refusal(`${given} is not a URL that starts with https://, such as https://obelus.example.org`);
  if (url.pathname === "/") url.pathname = "/api/telegram/webhook";
  return url.href;
}
