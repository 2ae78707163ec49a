import type { MessageEntity } from "grammy/types";

/** A text with Telegram entities. Offsets and lengths are in UTF-16 units. */
export interface FormattedText {
  text: string;
  entities: MessageEntity[];
}

/** The maximum length of a message, in UTF-16 units. */
export const LONGEST_MESSAGE = 4096;

/**
 * Boundaries, the best first. One of the first three is used only if it fills at least half of a message: many short
 * messages are harder to read than a split paragraph.
 */
const BOUNDARIES = [
  { end: /\n[^\S\n]*\n\s*/g, atLeast: 0.5 },
  { end: /\n/g, atLeast: 0.5 },
  { end: /[.!?…]["'»”)\]]*\s+/g, atLeast: 0.5 },
  { end: /\s+/g, atLeast: 0 },
];

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * Splits a text into messages: at the end of a paragraph, a line, a sentence or a word, and never within a grapheme,
 * unless that alone is longer than a message (D10). Together they are the whole text; those without visible characters
 * are left out.
 */
export function splitText({ text, entities }: FormattedText, limit = LONGEST_MESSAGE): FormattedText[] {
  const parts: FormattedText[] = [];
  for (let start = 0; start < text.length; ) {
    const length = text.length - start <= limit ? text.length - start : lengthOfNext(text.slice(start), limit);
    const end = start + length;
    const part = text.slice(start, end);
    if (part.trim() !== "") parts.push({ text: part, entities: entities.flatMap((one) => clip(one, start, end)) });
    start = end;
  }
  return parts;
}

/** The length of the first part of a text that is too long. */
function lengthOfNext(rest: string, limit: number): number {
  const characters = graphemes.segment(rest);
  const splitsNone = (place: number) => characters.containing(place)?.index === place;
  const head = rest.slice(0, limit);
  for (const { end, atLeast } of BOUNDARIES) {
    const cuts = [...head.matchAll(end)].map((found) => found.index + found[0].length);
    const best = cuts.findLast((place) => place >= limit * atLeast && splitsNone(place));
    if (best !== undefined) return best;
  }
  const character = characters.containing(limit)?.index ?? 0;
  if (character > 0) return character;
  return isLowSurrogate(rest.charCodeAt(limit)) && limit > 1 ? limit - 1 : limit;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** The part of an entity within a part of the text, with its offset there. */
function clip(entity: MessageEntity, start: number, end: number): MessageEntity[] {
  const from = Math.max(entity.offset, start);
  const to = Math.min(entity.offset + entity.length, end);
  return from < to ? [{ ...entity, offset: from - start, length: to - from }] : [];
}
