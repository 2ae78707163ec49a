import type { Json } from "./json.ts";

/** A value as text: strings trimmed, numbers as digits. Null for others. */
export function asText(value: Json): string | null {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value.trim() : null;
}

/** Shorter texts are codes with many uses: `JFK`, `USD`, `new`. */
const SHORTEST = 4;
/** The minimum number of significant digits: 7741 is specific, 12 and 5000 are not. */
const FEWEST_DIGITS = 4;
/** The minimum length of a single word that is a name, if it is written like one. */
const SHORTEST_NAME = 5;
/** The minimum length of words without digits and capitals that are a sentence and not a category. */
const SHORTEST_SENTENCE = 24;

/**
 * Whether a value is specific enough that a second occurrence comes from the first: numbers with four significant
 * digits that are not years, e-mail and other addresses, texts with letters and digits, names, sentences. Not: short
 * codes, lower-case words such as `basic_economy`, dates and times of day.
 */
export function isSpecific(text: string): boolean {
  if (text.length < SHORTEST) return false;
  if (/^-?[\d.,]+$/u.test(text)) return isSpecificNumber(text);
  if (isDay(text)) return false;
  if (/[@]|:\/\//u.test(text)) return true;
  if (/\d/u.test(text)) return /\p{L}/u.test(text) || text.replace(/\D/gu, "").length > FEWEST_DIGITS;
  if (/\p{Lu}/u.test(text)) return text.length >= SHORTEST_NAME;
  return text.length >= SHORTEST_SENTENCE && /\s/u.test(text);
}

function isSpecificNumber(text: string): boolean {
  if (/^(19|20)\d\d$/u.test(text)) return false;
  const counting = text.replace(/\D/gu, "").replace(/^0+|0+$/gu, "");
  return counting.length >= FEWEST_DIGITS;
}

/** Only a date or a time of day. */
function isDay(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d$/u.test(text) || /^\d\d?[./]\d\d?[./]\d{2,4}$/u.test(text) || /^\d\d?:\d\d(:\d\d)?$/u.test(text)
  );
}
