/** Parts of a text, marked and unmarked. */
export interface Part {
  text: string;
  marked: boolean;
}

/** The maximum number of words; further ones are ignored. */
const MOST_WORDS = 12;

/** The unique words of a query, split at spaces only, so `-20%` and `a.b` are words too. */
export function wordsOf(typed: string): string[] {
  const words = typed.split(/[\s\0]+/u).filter((word) => word !== "");
  return [...new Set(words)].slice(0, MOST_WORDS);
}

/**
 * A pattern for the words, ignoring case, also within longer words; nothing in them is syntax. Null if there are none.
 */
export function patternOf(words: readonly string[]): RegExp | null {
  if (words.length === 0) return null;
  // Longer ones first: of two with a common prefix the longer one is marked.
  const literal = [...words].sort((a, b) => b.length - a.length).map(escaped);
  return new RegExp(literal.join("|"), "giu");
}

const escaped = (word: string) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** The matches of a pattern in a text: start and end, UTF-16. */
export function* placesOf(text: string, pattern: RegExp): Generator<readonly [from: number, to: number]> {
  for (const match of text.matchAll(pattern)) yield [match.index, match.index + match[0].length];
}

/** The length of an excerpt, and its part before the first match, UTF-16. */
const LENGTH = 160;
const LEAD = 32;

/** The text around the first match on one line, with all matches marked. */
export function excerptOf(text: string, pattern: RegExp): Part[] {
  const [first] = placesOf(text, pattern);
  const from = wordAfter(text, Math.max(0, (first?.[0] ?? 0) - LEAD), first?.[0] ?? 0);
  const to = cutBefore(text, Math.min(text.length, Math.max(from + LENGTH, first?.[1] ?? 0)));
  const shown = text.slice(from, to);
  const parts: Part[] = [];
  let told = 0;
  for (const [start, end] of placesOf(shown, pattern)) {
    parts.push({ text: shown.slice(told, start), marked: false }, { text: shown.slice(start, end), marked: true });
    told = end;
  }
  parts.push({ text: shown.slice(told), marked: false });
  const lined = parts.map((part) => ({ ...part, text: part.text.replace(/\s+/gu, " ") }));
  if (from > 0) lined.unshift({ text: "…", marked: false });
  if (to < text.length) lined.push({ text: "…", marked: false });
  return joined(lined);
}

/**
 * The start of a word between two positions, so that an excerpt does not begin within one; the first position if there
 * is none.
 */
function wordAfter(text: string, from: number, to: number): number {
  if (from === 0) return 0;
  const space = text.slice(from, to).search(/\s\S/u);
  return space === -1 ? cutBefore(text, from) : from + space + 1;
}

/** A position that does not split a surrogate pair. */
function cutBefore(text: string, place: number): number {
  const code = text.charCodeAt(place);
  return code >= 0xdc00 && code <= 0xdfff && place > 0 ? place - 1 : place;
}

function joined(parts: readonly Part[]): Part[] {
  const whole: Part[] = [];
  for (const part of parts) {
    const last = whole.at(-1);
    if (part.text === "") continue;
    if (last?.marked === part.marked) last.text += part.text;
    else whole.push({ ...part });
  }
  return whole;
}
