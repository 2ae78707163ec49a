/** A piece of text, in turns of unmarked and marked. */
export interface Part {
  text: string;
  marked: boolean;
}

/** More words than a person types; what comes after them is let go. */
const MOST_WORDS = 12;

/** The words of what a person typed, each once: they are split at spaces alone, so `-20%` and `a.b` are words too. */
export function wordsOf(typed: string): string[] {
  const words = typed.split(/[\s\0]+/u).filter((word) => word !== "");
  return [...new Set(words)].slice(0, MOST_WORDS);
}

/** Finds each of the words in any case, also within a longer one; nothing in them is syntax. Null where there is none. */
export function patternOf(words: readonly string[]): RegExp | null {
  if (words.length === 0) return null;
  // The longer one first: of two that begin alike it is the one to be marked.
  const literal = [...words].sort((a, b) => b.length - a.length).map(escaped);
  return new RegExp(literal.join("|"), "giu");
}

const escaped = (word: string) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** Where a text has the pattern: from and to, UTF-16. */
export function* placesOf(text: string, pattern: RegExp): Generator<readonly [from: number, to: number]> {
  for (const match of text.matchAll(pattern)) yield [match.index, match.index + match[0].length];
}

/** How much of a text an excerpt shows in all, and before its first hit, UTF-16. */
const LENGTH = 160;
const LEAD = 32;

/** What stands around the first hit in a text, on one line, with all hits in it marked. */
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

/** Where a word begins between two places, so that an excerpt does not begin within one; the first where none does. */
function wordAfter(text: string, from: number, to: number): number {
  if (from === 0) return 0;
  const space = text.slice(from, to).search(/\s\S/u);
  return space === -1 ? cutBefore(text, from) : from + space + 1;
}

/** A place that does not tear a surrogate pair. */
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
