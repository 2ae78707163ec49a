import type { Json } from "../../lib/session/json/json.ts";
import type { Locale } from "../../lib/session/locale.ts";

/** English with the day before the month, as in Russian. */
const TAGS = { en: "en-GB", ru: "ru-RU" } as const;

/** Formats of template values; `detail` follows the format's colon. */
export const FORMATS = {
  number: (value, locale) => numberIn(value, locale),
  money: moneyIn,
  date: dateIn,
  /** Without the time that the portal adds to a date. */
  day: (value, locale) => dateIn(String(value).slice(0, 10), locale),
  /** Without the period at its end. */
  bare: (value) => String(value).replace(/[\s.]+$/, ""),
  /** In the middle of a sentence: day and month names are lower case in Russian. */
  inner: (value, locale) => String(value).replace(BEGINNING[locale], (word) => word.toLowerCase()),
  /** Cut to the tool's limit. */
  clipped: (value) => clip(String(value)),
  /** At the start of a sentence. */
  capital: (value) => String(value).replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()),
} satisfies Record<string, (value: Json, locale: Locale, detail: Json) => string>;

const LONGEST = 1_500;

function clip(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, "")}…` : text;
}

const BEGINNING = {
  en: /^(?:after|any|at|before|in|next|on|this|today|tomorrow|tonight)\b/i,
  ru: /^\p{Lu}(?=\p{Ll})/u,
};

export function isFormat(name: string): name is keyof typeof FORMATS {
  return Object.hasOwn(FORMATS, name);
}

function numberIn(value: Json, locale: Locale): string {
  const number = Number(value);
  return Number.isFinite(number)
    ? new Intl.NumberFormat(TAGS[locale], { maximumFractionDigits: 2 }).format(number)
    : String(value);
}

/** `detail` is the currency's code. */
function moneyIn(value: Json, locale: Locale, detail: Json): string {
  const number = Number(value);
  if (typeof detail !== "string" || !/^[a-z]{3}$/i.test(detail) || !Number.isFinite(number))
    return numberIn(value, locale);
  const style = { style: "currency", currency: detail, currencyDisplay: "narrowSymbol" } as const;
  return new Intl.NumberFormat(TAGS[locale], { ...style, minimumFractionDigits: 0 }).format(number);
}

/** As written, ignoring the time zone: "2026-05-05T18:00:00+03:00" is 18:00. */
function dateIn(value: Json, locale: Locale): string {
  const [, day, clock] = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}))?/.exec(String(value)) ?? [];
  const date = new Date(`${day}T${clock ?? "00:00"}:00Z`);
  if (day === undefined || Number.isNaN(date.getTime())) return String(value);
  const time = clock === undefined || clock === "00:00" ? {} : ({ timeStyle: "short" } as const);
  const written = new Intl.DateTimeFormat(TAGS[locale], { dateStyle: "long", ...time, timeZone: "UTC" }).format(date);
  // "5 мая 2026 г." contains a period.
  return written.replace(/\sг\./u, "");
}
