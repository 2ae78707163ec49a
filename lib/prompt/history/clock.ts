import type { Locale } from "../../session/locale.ts";
import { zoneOf } from "../zone.ts";

/** A formatted time in a zone. */
export interface Moment {
  /** `HH:MM`, of 24 hours. */
  time: string;
  /** The date in the locale's long format. */
  date: string;
}

/** Requires an offset: without it the time would depend on the server. */
const INSTANT = /^[+-]?\d+-\d\d-\d\dT\d\d:\d\d.*(?:Z|[+-]\d\d:?\d\d)$/i;
const TIME_LENGTH = "HH:MM".length;

/** Formats times in a zone; null for missing or invalid ones. */
export function clockOf(timezone: string | null, locale: Locale): (at: string | null) => Moment | null {
  const { zone } = zoneOf(timezone);
  // Date and time at once: formatting takes most of the time of a long history.
  const numbers = new Intl.DateTimeFormat("en-GB-u-ca-gregory-nu-latn", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const words = new Intl.DateTimeFormat(locale, { timeZone: zone, dateStyle: "long" });
  const dates = new Map<string, string>();
  return (at) => {
    const ms = at !== null && INSTANT.test(at) ? Date.parse(at) : Number.NaN;
    if (Number.isNaN(ms)) return null;
    const text = numbers.format(ms);
    const day = text.slice(0, -TIME_LENGTH);
    let date = dates.get(day);
    if (date === undefined) {
      date = words.format(ms);
      dates.set(day, date);
    }
    return { time: text.slice(-TIME_LENGTH), date };
  };
}
