import { INDENT, printedSize } from "./further-lines.ts";

/** Replaces what was removed from a message. */
const OMISSION = "[…]";

/** Of the limit: the start of a message says most about its subject. */
const HEAD_SHARE = 0.6;
/**
 * Units around a position in which word and sentence boundaries are searched: in languages without spaces 0.2 ms per
 * 1,000.
 */
const WINDOW = 128;
const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const WORDS = new Intl.Segmenter(undefined, { granularity: "word" });
const SENTENCES = new Intl.Segmenter(undefined, { granularity: "sentence" });
const SPACE = /\s/;

/**
 * A text of `plainLines` shortened to this many code points when indented: head and tail with […] between, cut between
 * sentences, else words, else graphemes. Only […] if nothing else fits.
 */
export function shorten(text: string, room: number): string {
  if (printedSize(text) <= room) return text;
  const graphemes = GRAPHEMES.segment(text);
  // With a space on each side.
  const free = room - OMISSION.length - 2;
  const head = text.slice(0, headEnd(text, unitsOfHead(text, free * HEAD_SHARE), graphemes));
  const start = tailStart(text, unitsBeforeTail(text, free - printedSize(head)), graphemes);
  const before = head !== "" && isSpace(text, head.length) ? " " : "";
  const after = start < text.length && isSpace(text, start - 1) ? " " : "";
  return `${head}${before}${OMISSION}${after}${text.slice(start)}`;
}

/** The end of a head of at most `limit` units: in its second half, unless a single character is longer. */
function headEnd(text: string, limit: number, graphemes: Intl.Segments): number {
  const half = limit / 2;
  const boundaries = [
    () => {
      const { start } = segmentAt(SENTENCES, text, { at: afterSpaces(text, limit), from: Math.floor(half), to: limit });
      return isAfterSentence(text, start) ? start : 0;
    },
    () => lastSpace(text, limit, half),
    () => segmentAt(WORDS, text, { at: limit, from: limit, to: limit }).start,
  ];
  for (const boundary of boundaries) {
    let end = boundary();
    while (end > half && isSpace(text, end - 1)) end--;
    if (end > half && end <= limit && graphemes.containing(end)?.index === end) return end;
  }
  return graphemes.containing(limit)?.index ?? limit;
}

/**
 * The start of a tail with at least `limit` units before it: in its first half, unless a single character is longer.
 */
function tailStart(text: string, limit: number, graphemes: Intl.Segments): number {
  const half = (limit + text.length) / 2;
  const boundaries = [
    () => {
      const start = nextStart(segmentAt(SENTENCES, text, { at: limit, from: limit, to: Math.ceil(half) }), limit);
      return isAfterSentence(text, start) ? start : text.length;
    },
    () => nextSpace(text, limit, half),
    () => nextStart(segmentAt(WORDS, text, { at: limit, from: limit, to: limit }), limit),
  ];
  for (const boundary of boundaries) {
    const start = afterSpaces(text, boundary());
    if (start < half && graphemes.containing(start)?.index === start) return start;
  }
  const grapheme = graphemes.containing(limit);
  return grapheme ? nextStart({ start: grapheme.index, end: grapheme.index + grapheme.segment.length }, limit) : limit;
}

interface Segment {
  start: number;
  end: number;
}

/** The segment around a position, computed in a window from before `from` to after `to`. */
function segmentAt(segmenter: Intl.Segmenter, text: string, place: { at: number; from: number; to: number }): Segment {
  const from = Math.max(0, place.from - WINDOW);
  const found = segmenter.segment(text.slice(from, Math.max(place.to, place.at) + WINDOW)).containing(place.at - from);
  if (!found) return { start: place.at, end: place.at };
  return { start: from + found.index, end: from + found.index + found.segment.length };
}

/** The first boundary at or after a position. */
function nextStart({ start, end }: Segment, at: number): number {
  return start === at ? at : end;
}

/** In an address a `?` ends no sentence; languages without spaces use no ASCII punctuation. */
function isAfterSentence(text: string, start: number): boolean {
  return isSpace(text, start - 1) || text.charCodeAt(start - 1) > 0x7f;
}

function lastSpace(text: string, from: number, downTo: number): number {
  let at = from;
  while (at > downTo && !isSpace(text, at)) at--;
  return at;
}

function nextSpace(text: string, from: number, upTo: number): number {
  // A word that starts exactly here is whole.
  let at = from - 1;
  while (at < upTo && !isSpace(text, at)) at++;
  return at;
}

function afterSpaces(text: string, from: number): number {
  let at = from;
  while (isSpace(text, at)) at++;
  return at;
}

function isSpace(text: string, at: number): boolean {
  return SPACE.test(text.charAt(at));
}

/** Units of the longest head within this many code points when indented. */
function unitsOfHead(text: string, room: number): number {
  let left = room;
  let units = 0;
  for (const character of text) {
    left -= sizeOf(character);
    if (left < 0) break;
    units += character.length;
  }
  return units;
}

/** Units before the longest tail within this many code points when indented. */
function unitsBeforeTail(text: string, room: number): number {
  let left = room;
  let units = text.length;
  while (units > 0) {
    const pair = units > 1 && (text.codePointAt(units - 2) ?? 0) > 0xffff;
    const before = units - (pair ? 2 : 1);
    left -= sizeOf(text.charAt(before));
    if (left < 0) break;
    units = before;
  }
  return units;
}

/** The size of a code point when indented. */
function sizeOf(character: string): number {
  return character === "\n" ? 1 + INDENT.length : 1;
}
