import type { Json } from "../../lib/session/json/json.ts";
import { BUSINESS, readBusiness } from "./business-words.ts";
import { DATE, MOMENT, readDate } from "./dates.ts";

/** What a phrase can capture: how it is written, and what it means; null for what means nothing. */
interface Reader {
  /** The source of a regular expression without named groups. */
  source: string;
  read(text: string, now: Date): Json;
}

/**
 * The letters of both languages and their neighbours', for a class. Not `\p{L}`: with the case of all the world's scripts
 * the phrases of a language take 1.3 s of processor time at the first message, with these 0.2 s.
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
  /** When it suits somebody, as they said it. */
  moment: { source: MOMENT, read: (text) => text },
  /** What somebody answers who was asked, and does not ask in turn. */
  answer: { source: ANSWER, read: readWords },
} satisfies Record<string, Reader>;

export type ValueKind = keyof typeof READERS;

/** "150 000 ₽", "150,000.50", "150k", "1,5 млн": the number that it is. */
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

/** Whether its points and commas do nothing but part thousands: there is no unit in "1.500", as there is in "1.500 млн". */
function isGrouped(written: string, unit: number): boolean {
  return unit === 1 && (/^\d{1,3}(\.\d{3})+$/.test(written) || /^\d{1,3}(,\d{3})+$/.test(written));
}

/** With a point before its decimals alone: the last of its signs stands there. */
function pointed(written: string): string {
  const decimals = /[.,](\d+)$/.exec(written);
  if (!decimals) return written;
  return `${written.slice(0, decimals.index).replaceAll(/[.,]/g, "")}.${decimals[1]}`;
}

/** Without the quotes around it. */
function readWords(text: string): string | null {
  const bare = /^(?:«(.+)»|"(.+)"|'(.+)'|“(.+)”|„(.+)[“”])$/su.exec(text.trim());
  const words = (bare?.slice(1).find((part) => part !== undefined) ?? text).trim();
  return words === "" ? null : words;
}
