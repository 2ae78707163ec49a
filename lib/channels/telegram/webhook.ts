import { Api } from "grammy";
import type { OpenEgress } from "../../outgoing/egress.ts";
import { optionsOf } from "./bot-client.ts";
import { failureOf } from "./failure.ts";
import type { BotSettings } from "./telegram.ts";

/** Registers the webhook address and secret with Telegram. Null on success, else Telegram's message. */
export async function setWebhook(
  { token, apiRoot, webhookSecret }: Pick<BotSettings, "token" | "apiRoot" | "webhookSecret">,
  address: string,
  openEgress: OpenEgress,
): Promise<string | null> {
  const api = new Api(token, optionsOf(apiRoot, openEgress));
  try {
    await api.setWebhook(address, { secret_token: webhookSecret, allowed_updates: ["message"] });
    return null;
  } catch (error) {
    return failureOf(error).why;
  }
}
