import type { Json } from "../../lib/session/json/json.ts";
import { BUSINESS, readBusiness } from "./business-words.ts";
import { DATE, MOMENT, readDate } from "./dates.ts";

/** A kind of capture: its syntax, and its value; null for an invalid one. */
interface Reader {
  /** The source of a regular expression without named groups. */
  source: string;
  read(text: string, now: Date): Json;
}

/**
 * The letters of both languages, for a character class. Not `\p{L}`: with case folding of all scripts, the phrases of a
 * language take 1.3 s of CPU at the first message, with these 0.2 s.
 */
export const LETTERS = "a-zà-ɏа-яё";
export const LETTER = `[${LETTERS}]`;

const ENDING = `${LETTER}*`;
const CURRENCY = String.raw`₽|руб${ENDING}|р\.|rub${ENDING}|\$|usd|dollars?|долл${ENDING}|€|eur${ENDING}|евро`;
const THOUSAND = String.raw`k|к|тыс\.?|тысяч${ENDING}|thousand`;
const MILLION = String.raw`m|м|mln|млн\.?|миллион${ENDING}|million`;

const QUESTION_WORD =
  "а|где|как|какие|какой|какая|когда|кто|куда|можно|почему|сколько|что|есть ли|are|can|could|do|does|how|is|what|when|where|which|who|why";
const ANSWER = String.raw`(?!.*\?)(?!(?:${QUESTION_WORD})(?!${LETTER})).{1,100}?`;

export const READERS = {
  number: {
    source: String.raw`(?:(?:[#№]|номер|number|no\.?|id)\s*)?\d{1,15}(?!\d)`,
    read: (text) => Number(/\d+$/.exec(text)?.[0]),
  },
  amount: {
    source: String.raw`[$€₽]?\s?(?:\d{1,3}(?:[ .,']\d{3})+|\d{1,15})(?:[.,]\d+)?(?:\s?(?:${THOUSAND}|${MILLION})(?!${LETTER}))?(?:\s?(?:${CURRENCY}))?`,
    read: readAmount,
  },
  date: { source: DATE, read: readDate },
  name: { source: `${LETTER}[${LETTERS}'-]*`, read: (text) => text },
  phone: { source: String.raw`\+?\d[\d() -]{4,18}\d`, read: (text) => text.replaceAll(/[^+\d]/g, "") },
  words: { source: ".+?", read: readWords },
  /** A kind of business: "цветочного магазина", "a dental clinic". */
  business: { source: BUSINESS, read: readBusiness },
  /** A name in quotes. */
  title: { source: String.raw`[^«»„“”"\n]{1,60}`, read: (text) => text.trim() },
  /** A preferred time, as written. */
  moment: { source: MOMENT, read: (text) => text },
  /** An answer to a question that is not a question itself. */
  answer: { source: ANSWER, read: readWords },
} satisfies Record<string, Reader>;

export type ValueKind = keyof typeof READERS;

/** The number in "150 000 ₽", "150,000.50", "150k", "1,5 млн". */
export function readAmount(text: string): number | null {
  const written = /\d(?:[\d .,']*\d)?/.exec(text)?.[0].replaceAll(/[ ']/g, "");
  if (written === undefined) return null;
  const unit = unitOf(text);
  const whole = Number(isGrouped(written, unit) ? written.replaceAll(/[.,]/g, "") : pointed(written));
  return Number.isFinite(whole) ? Math.round(whole * unit * 100) / 100 : null;
}

function unitOf(text: string): number {
  const says = (unit: string) => new RegExp(String.raw`\d\s?(?:${unit})(?!${LETTER})`, "i").test(text);
  if (says(THOUSAND)) return 1_000;
  return says(MILLION) ? 1_000_000 : 1;
}

/** Whether periods and commas only separate thousands: "1.500" has no unit, "1.500 млн" has one. */
function isGrouped(written: string, unit: number): boolean {
  return unit === 1 && (/^\d{1,3}(\.\d{3})+$/.test(written) || /^\d{1,3}(,\d{3})+$/.test(written));
}

/** With a decimal point only, at the last separator. */
function pointed(written: string): string {
  const decimals = /[.,](\d+)$/.exec(written);
  if (!decimals) return written;
  return `${written.slice(0, decimals.index).replaceAll(/[.,]/g, "")}.${decimals[1]}`;
}

/** Without its quotes. */
function readWords(text: string): string | null {
  const bare = /^(?:«(.+)»|"(.+)"|'(.+)'|“(.+)”|„(.+)[“”])$/su.exec(text.trim());
  const words = (bare?.slice(1).find((part) => part !== undefined) ?? text).trim();
  return words === "" ? null : words;
}
