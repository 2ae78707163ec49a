import { z } from "zod";

/** The configuration of a Telegram bot. */
export interface TelegramConfig {
  token: string;
  /** The secret that Telegram sends with each update. */
  webhookSecret: string;
  /** `https://api.telegram.org` */
  apiRoot: string;
  /** The chat for alerts, by its number or its `@name`; null for none. */
  adminChat: number | string | null;
}

/** Its variables. */
export const telegramVariables = {
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^[\w:-]{1,200}$/, "must be a token from @BotFather, such as 123456:ABC-DEF")
    .optional(),
  TELEGRAM_WEBHOOK_SECRET: z
    .string()
    .regex(/^[\w-]{1,256}$/, "must have 1 to 256 characters of A-Z, a-z, 0-9, _ and -")
    .optional(),
  TELEGRAM_API_ROOT: z
    .url({ protocol: /^https?$/, error: "must be an address such as https://api.telegram.org" })
    .default("https://api.telegram.org"),
  TELEGRAM_ADMIN_CHAT: z
    .string()
    .regex(/^(-?[1-9]\d{0,15}|@\w{4,32})$/, "must be a chat's number, such as -1001234567890, or a public chat's @name")
    .transform((chat) => (chat.startsWith("@") ? chat : Number(chat)))
    .optional(),
};

type Variables = z.infer<z.ZodObject<typeof telegramVariables>>;

/** Without a secret a bot would accept updates from anybody. */
export function telegramFault({ TELEGRAM_BOT_TOKEN, TELEGRAM_WEBHOOK_SECRET }: Variables): string | null {
  if (TELEGRAM_BOT_TOKEN === undefined || TELEGRAM_WEBHOOK_SECRET !== undefined) return null;
  return "is required with TELEGRAM_BOT_TOKEN: generate one with openssl rand -hex 32";
}

/** Its configuration from the variables; null for no bot. */
export function telegramOf(data: Variables): TelegramConfig | null {
  if (data.TELEGRAM_BOT_TOKEN === undefined || data.TELEGRAM_WEBHOOK_SECRET === undefined) return null;
  return {
    token: data.TELEGRAM_BOT_TOKEN,
    webhookSecret: data.TELEGRAM_WEBHOOK_SECRET,
    apiRoot: data.TELEGRAM_API_ROOT,
    adminChat: data.TELEGRAM_ADMIN_CHAT ?? null,
  };
}
