import type { Telegram, TelegramNeeds } from "../../channels/telegram/telegram.ts";
import type { TelegramConfig } from "../settings/telegram.ts";
import { wallClock } from "../wall-clock.ts";

/** Creates the configured bot's channel, not started yet; null without one. */
export async function openTelegram(
  bot: TelegramConfig | null,
  needs: Omit<TelegramNeeds, "now">,
): Promise<Telegram | null> {
  if (!bot) return null;
  // Imported lazily: the library takes 20 MB.
  const { createTelegram } = await import("../../channels/telegram/telegram.ts");
  return createTelegram(bot, { ...needs, now: wallClock.now });
}
