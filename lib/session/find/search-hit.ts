import { isJsonObject, type Json } from "../json/json.ts";
import { type FindWhere, placeOf, whereOf } from "./find-in-event.ts";
import { excerptOf, type Part } from "./find-words.ts";
import { type SearchedText, searchedTexts } from "./searched-texts.ts";

/** A match in a conversation: the step, the matching value, and the text around the words. */
export interface SearchHit {
  seq: number;
  type: string;
  where: FindWhere;
  /** The role of a message. */
  role: string | null;
  /** The path in the event's payload: `output.deal.title`. Of a write, the state's path. */
  path: string | null;
  /** The text, in marked and unmarked parts. */
  parts: Part[];
}

/** What the index treats as part of a word. */
const LETTER = "[\\p{L}\\p{N}\\p{Co}\\p{M}]";

/** The words of a query, split at spaces, that have a letter or a digit. */
export function searchWordsOf(typed: string): string[] {
  return typed.split(/[\s\0]+/u).filter((word) => /[\p{L}\p{N}\p{Co}]/u.test(word));
}

/**
 * Whether the last word is a prefix: it may be incomplete. Not a single letter or digit, with which a quarter of all
 * words begin, except in scripts without spaces.
 */
export function mayGoOn(word: string): boolean {
  return !/^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]$/u.test(word);
}

/** The match in an event, with words as in the index: whole ones, ignoring case and accents. */
export function hitIn(event: { seq: number; type: string; payload: Json }, words: readonly string[]): SearchHit {
  const patterns = words.map((word, index) => patternOf(word, index === words.length - 1 && mayGoOn(word)));
  const texts = searchedTexts(event.type, event.payload).map(({ path, text }) => ({ path, text: decomposed(text) }));
  const best = fullest(texts, patterns);
  const { payload } = event;
  const where = whereOf(event.type);
  return {
    seq: event.seq,
    type: event.type,
    where,
    role: where === "message" && isJsonObject(payload) && typeof payload.role === "string" ? payload.role : null,
    path: best && placeOf(event, best.path),
    parts: best ? excerptOf(best.text, new RegExp(patterns.join("|"), "giu")).map(composed) : [],
  };
}

/** The text with the most of the words, the first of several. */
function fullest(texts: readonly SearchedText[], patterns: readonly string[]): SearchedText | null {
  const each = patterns.map((pattern) => new RegExp(pattern, "iu"));
  let best: SearchedText | null = null;
  let most = -1;
  for (const one of texts) {
    const count = each.filter((pattern) => pattern.test(one.text)).length;
    if (count <= most) continue;
    best = one;
    most = count;
  }
  return best;
}

/** A word as in the index: its tokens in sequence, with any separators. */
function patternOf(word: string, goesOn: boolean): string {
  const parts = decomposed(word).match(new RegExp(`${LETTER}+`, "gu")) ?? [];
  const end = goesOn ? `${LETTER}*` : `(?!${LETTER})`;
  return `(?<!${LETTER})${parts.map(partOf).join("[^\\p{L}\\p{N}\\p{Co}\\p{M}]+")}${end}`;
}

/** Latin letters match with and without accents. */
function partOf(part: string): string {
  return part.replace(/(\p{Script=Latin})\p{M}+/gu, "$1").replace(/\p{Script=Latin}/gu, (letter) => `${letter}\\p{M}*`);
}

// Decomposed, to skip accents; then composed again.
const decomposed = (text: string) => text.normalize("NFD");
const composed = ({ text, marked }: Part): Part => ({ text: text.normalize("NFC"), marked });
