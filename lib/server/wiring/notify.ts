import { randomUUIDv7 } from "node:crypto";
import type { Telegram } from "../../channels/telegram/telegram.ts";
import type { ToolRegistry } from "../../engine/tools/tools.ts";
import type { Channel } from "../../notify/channel.ts";
import { createMail } from "../../notify/mail.ts";
import type { Manner } from "../../notify/message.ts";
import { createNotices, type NoticeNeeds, type Notices } from "../../notify/notices.ts";
import { plainText } from "../../notify/text.ts";
import { createWebhook } from "../../notify/webhook.ts";
import type { OpenEgress } from "../../outgoing/egress.ts";
import type { Config } from "../config.ts";
import { wallClock } from "../wall-clock.ts";

interface Needs extends Pick<NoticeNeeds, "notices" | "replicas" | "bus" | "logger"> {
  telegram: Telegram | null;
  tools: Pick<ToolRegistry, "find">;
  openEgress: OpenEgress;
  /** The server's address. */
  address: string;
}

/** Creates notifications, not started yet; without channels if none is configured. */
export async function openNotices({ notify, access }: Config, needs: Needs): Promise<Notices> {
  const { telegram, tools, openEgress, address, ...others } = needs;
  const { webhook, mail, quiet, remindAfter, locale, content } = notify;
  const manner: Manner = {
    ...{ locale, content, timezone: quiet?.timezone ?? "UTC" },
    address: access.publicUrl ?? address,
    describe: (method) => tools.find(method)?.description || null,
  };
  const channels = [
    ...(telegram?.adminChat ? [chatChannel(telegram.adminChat, manner)] : []),
    ...(webhook ? [createWebhook(webhook, openEgress, wallClock.now)] : []),
    ...(mail ? [await createMail(mail, openEgress, manner)] : []),
  ];
  const timing = { quiet, remindAfter };
  return createNotices({
    ...others,
    channels,
    manner,
    timing,
    clock: wallClock,
    newId: () => `notice_${randomUUIDv7()}`,
  });
}

/** The managers' chat, where another component sends new alerts. */
function chatChannel(adminChat: NonNullable<Telegram["adminChat"]>, manner: Manner): Channel {
  return {
    name: "telegram",
    tellsAlerts: true,
    send: (told) => adminChat.send(`🔔 ${told.subject}\n\n${plainText(told, manner)}`),
  };
}
