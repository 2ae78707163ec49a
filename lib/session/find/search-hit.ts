import { isJsonObject, type Json } from "../json/json.ts";
import { type FindWhere, placeOf, whereOf } from "./find-in-event.ts";
import { excerptOf, type Part } from "./find-words.ts";
import { type SearchedText, searchedTexts } from "./searched-texts.ts";

/** Where in a conversation the search hit: the step, the value that has the words, and the text around them. */
export interface SearchHit {
  seq: number;
  type: string;
  where: FindWhere;
  /** Who said it, of a message. */
  role: string | null;
  /** The value of the event's payload: `output.deal.title`. Of a write, the state's path. */
  path: string | null;
  /** The text in turns of unmarked and marked. */
  parts: Part[];
}

/** What the index takes for a part of a word. */
const LETTER = "[\\p{L}\\p{N}\\p{Co}\\p{M}]";

/** The words of what a person typed: what stands between spaces and has a letter or a digit. */
export function searchWordsOf(typed: string): string[] {
  return typed.split(/[\s\0]+/u).filter((word) => /[\p{L}\p{N}\p{Co}]/u.test(word));
}

/**
 * Whether the last word may go on: it may be half typed. One letter or digit may not, because a quarter of all words
 * begin with it; where words are not written apart, one sign is one.
 */
export function mayGoOn(word: string): boolean {
  return !/^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]$/u.test(word);
}

/** What the search found in an event, marked as the index understands words: whole ones, in any case, accents or not. */
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

/** The text that has the most of the words, the first of several. */
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

/** A word as the index has it: its parts one after another, whatever stands between them. */
function patternOf(word: string, goesOn: boolean): string {
  const parts = decomposed(word).match(new RegExp(`${LETTER}+`, "gu")) ?? [];
  const end = goesOn ? `${LETTER}*` : `(?!${LETTER})`;
  return `(?<!${LETTER})${parts.map(partOf).join("[^\\p{L}\\p{N}\\p{Co}\\p{M}]+")}${end}`;
}

/** Letters of the Latin script are the same with and without accents. */
function partOf(part: string): string {
  return part.replace(/(\p{Script=Latin})\p{M}+/gu, "$1").replace(/\p{Script=Latin}/gu, (letter) => `${letter}\\p{M}*`);
}

// Letters apart from their accents, so that these can be passed over; and together again, as they are read.
const decomposed = (text: string) => text.normalize("NFD");
const composed = ({ text, marked }: Part): Part => ({ text: text.normalize("NFC"), marked });
