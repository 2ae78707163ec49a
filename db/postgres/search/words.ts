import { mayGoOn, searchWordsOf } from "../../../lib/session/find/search-hit.ts";

// The words are split here rather than by one of Postgres' configurations, so that both storages find the same, whatever the
// language: words as they are written, in any case, Latin letters with and without accents, nothing stemmed or left out.

/** Postgres takes words of up to 2,046 bytes, and places up to 16,383. */
const LONGEST_WORD = 500;
const LAST_PLACE = 16_383;

/** A text's words with their places, as a `tsvector` is written. A line break ends a phrase. */
export function wordsWithPlaces(text: string): string {
  const places: string[] = [];
  let place = 0;
  for (const line of text.split("\n")) {
    for (const word of wordsOf(line)) {
      place = Math.min(place + 1, LAST_PLACE);
      places.push(`'${word}':${place}`);
    }
    place = Math.min(place + 1, LAST_PLACE);
  }
  return places.join(" ");
}

/** What a person typed, as a `tsquery` is written: all of its words, the last as a beginning. Null when there is no word in it. */
export function queryOf(typed: string): string | null {
  const words = searchWordsOf(typed);
  const last = words.length - 1;
  const conditions = words.map((word, index) => {
    const goesOn = index === last && mayGoOn(word);
    return `(${wordsOf(word).map(quoted).join(" <-> ")}${goesOn ? ":*" : ""})`;
  });
  return conditions.length === 0 ? null : conditions.join(" & ");
}

const quoted = (word: string) => `'${word}'`;

function wordsOf(text: string): string[] {
  const plain = text
    .normalize("NFD")
    .replace(/(\p{Script=Latin})\p{M}+/gu, "$1")
    .normalize("NFC")
    .toLowerCase();
  return (plain.match(/[\p{L}\p{N}\p{Co}\p{M}]+/gu) ?? []).map((word) => word.slice(0, LONGEST_WORD));
}
