import type { Locale } from "../session/locale.ts";
import { zoneOf } from "./zone.ts";

/** When something was said, as a person of the zone would say it. */
export interface Moment {
  /** `HH:MM`, of 24 hours. */
  time: string;
  /** The day in the locale's long form. */
  date: string;
}

/** A date, a time and where on the earth: without its offset it would be another moment on another server. */
const INSTANT = /^[+-]?\d+-\d\d-\d\dT\d\d:\d\d.*(?:Z|[+-]\d\d:?\d\d)$/i;
const TIME_LENGTH = "HH:MM".length;

/** Tells the moments of a zone; null of a time that is not known or none. */
export function clockOf(timezone: string | null, locale: Locale): (at: string | null) => Moment | null {
  const { zone } = zoneOf(timezone);
  // Day and time in one: formatting is what takes most of the time of a long history.
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
