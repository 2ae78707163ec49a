import { zoneOf } from "../../prompt/zone.ts";
import type { Locale } from "../../session/locale.ts";

/** How dates and times are formatted. */
export interface Manner {
  /** An IANA time zone; the system's if unknown. */
  timezone: string;
  locale: Locale;
}

const DATE = String.raw`(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})`;
const TIME = String.raw`(?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,]\d{1,9})?)?(?<offset>Z|[+-]\d{2}:?\d{2})?`;
/** Part of something longer: an id, an address, a file name. */
const BEFORE = String.raw`(?<![\p{L}\p{N}_./:@#=&?%+-])`;
const AFTER = String.raw`(?![\p{L}\p{N}_/:@#=&%+-]|[.,]\p{N}|\.\p{L})`;
const WRITTEN = new RegExp(`${BEFORE}${DATE}(?:[T ]${TIME})?${AFTER}`, "gu");

/**
 * Formats ISO 8601 dates and times in a text: `2026-11-22T12:02:00Z` as `22 ноября 2026 г. в 15:02`. Those with an
 * offset are converted to the zone; those without are in it already. Invalid dates and parts of something longer stay
 * (D10).
 */
export function writeDates(text: string, { timezone, locale }: Manner): string {
  return text.replace(WRITTEN, (written, ...found) => {
    const parts: Record<string, string | undefined> = found.at(-1);
    const moment = momentOf(parts);
    if (moment === null) return written;
    const zone = parts.offset === undefined ? "UTC" : zoneOf(timezone).zone;
    return format(locale, zone, parts.hour !== undefined).format(moment);
  });
}

/** Epoch ms; a time without an offset as UTC. Null for invalid dates and times. */
function momentOf({
  year,
  month,
  day,
  hour = "00",
  minute = "00",
  second = "00",
  offset,
}: Record<string, string | undefined>): number | null {
  const asWritten = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const moment = Date.parse(asWritten);
  // JavaScript takes invalid dates for other days, such as 31 February for 3 March.
  if (Number.isNaN(moment) || new Date(moment).toISOString() !== asWritten) return null;
  return moment - offsetOf(offset);
}

/** An offset in ms. */
function offsetOf(offset: string | undefined): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(offset ?? "") ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
}

const LANGUAGES: Record<Locale, string> = { en: "en-GB", ru: "ru-RU" };
const formats = new Map<string, Intl.DateTimeFormat>();

/** Creating a formatter takes as long as formatting a thousand dates. */
function format(locale: Locale, timeZone: string, withTime: boolean): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone} ${withTime}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(LANGUAGES[locale], {
    ...{ timeZone, dateStyle: "long" },
    ...(withTime && { timeStyle: "short" }),
  });
  formats.set(key, made);
  return made;
}
