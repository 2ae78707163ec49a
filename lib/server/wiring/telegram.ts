import type { Telegram, TelegramNeeds } from "../../channels/telegram/telegram.ts";
import type { TelegramConfig } from "../settings/telegram.ts";
import { wallClock } from "../wall-clock.ts";

/** Makes the channel of the bot that is configured, not started yet; null where none is. */
export async function openTelegram(
  bot: TelegramConfig | null,
  needs: Omit<TelegramNeeds, "now">,
): Promise<Telegram | null> {
  if (!bot) return null;
  // Only here: its library takes 20 MB, and a server without a bot needs none of it.
  const { createTelegram } = await import("../../channels/telegram/telegram.ts");
  return createTelegram(bot, { ...needs, now: wallClock.now });
}
