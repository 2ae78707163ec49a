import { diffArrays } from "diff";

/** Words that two texts share, or that only one has. */
export interface WordChange {
  text: string;
  added: boolean;
  removed: boolean;
}

/** Texts with more differences are shown whole: finding them would take long. */
const MOST_WORDS = 2_000;

/**
 * Words of any script, spaces, and single symbols; nothing is left out. The library only knows words of Latin letters.
 */
const WORD = /[\p{L}\p{M}\p{N}_]+|\s+|[^\p{L}\p{M}\p{N}_\s]/gu;

/** A diff of two texts by words; null if they differ too much. */
export function wordChanges(before: string, after: string): WordChange[] | null {
  const parts = diffArrays(before.match(WORD) ?? [], after.match(WORD) ?? [], { maxEditLength: MOST_WORDS });
  return parts?.map(({ value, added, removed }) => ({ text: value.join(""), added, removed })) ?? null;
}
