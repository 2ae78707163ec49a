import { Api } from "grammy";
import { failureOf } from "./failure.ts";
import type { BotSettings } from "./telegram.ts";

/** Seconds that Telegram is waited for. */
const TIMEOUT_S = 30;

/**
 * Has Telegram send the bot's updates to an address, with the secret, from now on. Null when that is so, else what
 * Telegram says.
 */
export async function setWebhook(
  { token, apiRoot, webhookSecret }: Pick<BotSettings, "token" | "apiRoot" | "webhookSecret">,
  address: string,
): Promise<string | null> {
  const api = new Api(token, { apiRoot: apiRoot.replace(/\/+$/, ""), timeoutSeconds: TIMEOUT_S });
  try {
    await api.setWebhook(address, { secret_token: webhookSecret, allowed_updates: ["message"] });
    return null;
  } catch (error) {
    return failureOf(error).why;
  }
}
