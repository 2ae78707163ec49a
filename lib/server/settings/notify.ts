import { z } from "zod";
import type { Mail } from "../../notify/mail.ts";
import { type QuietHours, readQuietHours } from "../../notify/quiet-hours.ts";
import type { Webhook } from "../../notify/webhook.ts";
import type { Locale } from "../../session/locale.ts";

/** The configuration of notifications. Telegram's admin chat is the bot's. */
export interface NotifyConfig {
  /** Null for none. */
  webhook: Webhook | null;
  mail: Mail | null;
  /** Includes content of conversations. */
  content: boolean;
  locale: Locale;
  quiet: QuietHours | null;
  /** The interval of reminders, ms; null for none. */
  remindAfter: number | null;
}

const HOUR_MS = 3_600_000;
/** By the Standard Webhooks specification: 24 to 64 bytes. */
const SECRET = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;
const MAIL = /^[^\s@<>,]+@[^\s@<>,]+$/;
const NAMED_MAIL = /^[^<>@\r\n]*<[^\s@<>,]+@[^\s@<>,]+>$/;

/** Their variables. */
export const notifyVariables = {
  OBELUS_NOTICE_WEBHOOK_URL: z
    .url({ protocol: /^https?$/, error: "must be an address such as https://chat.example.org/hooks/obelus" })
    .optional(),
  OBELUS_NOTICE_WEBHOOK_SECRET: z
    .string()
    .regex(SECRET, "must be whsec_ followed by 24 to 64 bytes in base64, such as from openssl rand -base64 32")
    .optional(),
  OBELUS_SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: "must be an address such as smtps://user:password@mail.example.org" })
    .optional(),
  OBELUS_NOTICE_MAIL_FROM: z
    .string()
    .refine((from) => MAIL.test(from) || NAMED_MAIL.test(from), "must be an address, such as obelus@example.org")
    .optional(),
  OBELUS_NOTICE_MAIL_TO: z
    .string()
    .transform((list) => list.split(",").map((address) => address.trim()))
    .refine(
      (to) => to.every((one) => MAIL.test(one)),
      "must be addresses, separated by commas, such as anna@example.org",
    )
    .optional(),
  OBELUS_NOTICE_CONTENT: z.enum(["0", "1"], "must be 1 (notifications include message texts) or 0").default("0"),
  OBELUS_NOTICE_LOCALE: z.enum(["en", "ru"], "must be en or ru").default("en"),
  OBELUS_QUIET_HOURS: z
    .string()
    .transform((text, context) => {
      const quiet = readQuietHours(text);
      if (quiet) return quiet;
      context.addIssue({ code: "custom", message: "must be two times and a zone, such as 22:00-07:00 Europe/Moscow" });
      return z.NEVER;
    })
    .optional(),
  OBELUS_NOTICE_REMIND_HOURS: z
    .string()
    .regex(/^\d{1,3}$/, "must be a whole number of hours from 1 to 999, such as 24, or 0 for no reminders")
    .transform(Number)
    .default(24),
};

type Variables = z.infer<z.ZodObject<typeof notifyVariables>>;

/** Variables that contain a secret. */
export const NOTIFY_SECRETS = ["OBELUS_NOTICE_WEBHOOK_URL", "OBELUS_NOTICE_WEBHOOK_SECRET", "OBELUS_SMTP_URL"];

/** A missing setting of a channel: the variable, and words that follow its name; null if complete. */
export function notifyFault(set: Variables): { path: string[]; message: string } | null {
  if (set.OBELUS_NOTICE_WEBHOOK_URL !== undefined && set.OBELUS_NOTICE_WEBHOOK_SECRET === undefined) {
    const message =
      "is required with OBELUS_NOTICE_WEBHOOK_URL: whsec_ followed by the output of openssl rand -base64 32";
    return { path: ["OBELUS_NOTICE_WEBHOOK_SECRET"], message };
  }
  if (set.OBELUS_SMTP_URL === undefined) return null;
  const missing = (["OBELUS_NOTICE_MAIL_FROM", "OBELUS_NOTICE_MAIL_TO"] as const).find(
    (name) => set[name] === undefined,
  );
  return missing === undefined ? null : { path: [missing], message: "is required with OBELUS_SMTP_URL" };
}

/** Their configuration from the variables. */
export function notifyOf(set: Variables): NotifyConfig {
  const { OBELUS_NOTICE_WEBHOOK_URL: url, OBELUS_NOTICE_WEBHOOK_SECRET: secret } = set;
  const { OBELUS_SMTP_URL: server, OBELUS_NOTICE_MAIL_FROM: from, OBELUS_NOTICE_MAIL_TO: to } = set;
  const hours = set.OBELUS_NOTICE_REMIND_HOURS;
  return {
    webhook: url !== undefined && secret !== undefined ? { url, secret } : null,
    mail: server !== undefined && from !== undefined && to !== undefined ? { server, from, to } : null,
    content: set.OBELUS_NOTICE_CONTENT === "1",
    locale: set.OBELUS_NOTICE_LOCALE,
    quiet: set.OBELUS_QUIET_HOURS ?? null,
    remindAfter: hours === 0 ? null : hours * HOUR_MS,
  };
}
