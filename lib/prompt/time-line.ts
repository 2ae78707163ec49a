import type { Locale } from "../session/locale.ts";
import { zoneOf } from "./zone.ts";

/**
 * The time before a user's message (D8), in the conversation's zone: `[Sunday, March 1, 2026, 15:00 Europe/Moscow]`. An
 * unknown zone is the system's, as in prompts. `now` is epoch ms.
 */
export function timeLine(now: number, timezone: string | null, locale: Locale): string {
  const { zone, known } = zoneOf(timezone);
  // By the given name: Intl's may be an older one, such as Asia/Calcutta.
  const name = known ? (timezone ?? zone) : zone;
  const day = new Intl.DateTimeFormat(locale, { timeZone: zone, dateStyle: "full", calendar: "gregory" }).format(now);
  const time = new Intl.DateTimeFormat("en-GB-u-nu-latn", {
    ...{ timeZone: zone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  }).format(now);
  return `[${day}, ${time} ${name}]\n`;
}

/** A user's message without the time before it. */
export function withoutTimeLine(text: string): string {
  return text.replace(TIME_LINE, "");
}

const TIME_LINE = /^\[[^[\]\n]+, \d\d:\d\d [^\s[\]]+\]\n/;
