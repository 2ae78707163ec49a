import { diffArrays } from "diff";

/** A stretch of words that two texts share, or that one of them has alone. */
export interface WordChange {
  text: string;
  added: boolean;
  removed: boolean;
}

/** Texts with more differences than these are told whole: finding them would take long. */
const MOST_WORDS = 2_000;

/** Words of any script, spaces, and signs one by one; nothing is left out. A library's own words are those of Latin letters. */
const WORD = /[\p{L}\p{M}\p{N}_]+|\s+|[^\p{L}\p{M}\p{N}_\s]/gu;

/** How one text becomes another, word by word; null where they differ in too much. */
export function wordChanges(before: string, after: string): WordChange[] | null {
  const parts = diffArrays(before.match(WORD) ?? [], after.match(WORD) ?? [], { maxEditLength: MOST_WORDS });
  return parts?.map(({ value, added, removed }) => ({ text: value.join(""), added, removed })) ?? null;
}
