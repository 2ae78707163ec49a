import type { Json } from "./json.ts";

/** A value as it would be written in a text: texts without the space around them, numbers as digits. Null for all others. */
export function asText(value: Json): string | null {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value.trim() : null;
}

/** Shorter texts are codes that many things share: `JFK`, `USD`, `new`. */
const SHORTEST = 4;
/** So many digits that count: 7741 is somebody's, 12 and 5000 are anybody's. */
const FEWEST_DIGITS = 4;
/** A single word as long as this is a name, if it is written like one. */
const SHORTEST_NAME = 5;
/** Words without digits and capitals that are no name for a kind of thing, but somebody's sentence. */
const SHORTEST_SENTENCE = 24;

/**
 * Whether a value is one of its kind, so that finding it a second time tells that it came from the first: numbers of
 * four digits that count and no years, e-mails and addresses, texts with letters and digits, names, sentences. Not:
 * short codes, lower-case words such as `basic_economy`, dates and times of day, which many things share.
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

/** A date or a time of day, without more. */
function isDay(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d$/u.test(text) || /^\d\d?[./]\d\d?[./]\d{2,4}$/u.test(text) || /^\d\d?:\d\d(:\d\d)?$/u.test(text)
  );
}
