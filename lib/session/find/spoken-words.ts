/** How much of a text is read: more than a usual message. */
const LONGEST_TEXT = 100_000;
/** A more frequent word is only looked up in the first of its texts: it is too common to identify a source. */
const MOST_TEXTS = 500;
const WORD = /[\p{L}\p{N}]+/gu;
/** Shorter words are in every text. */
const SHORTEST_WORD = 3;
const AROUND = 24;

interface Spoken<T> {
  text: string;
  by: T;
}

/** An index of texts in order, to find those that contain a value. */
export class SpokenWords<T> {
  /** The texts that contain a word, in order. */
  private readonly having = new Map<string, Spoken<T>[]>();
  private readonly indexed: RegExp | null;

  /** `indexed`: only these words are looked up; null for all. */
  constructor(indexed: RegExp | null = null) {
    this.indexed = indexed;
  }

  add(text: string, by: T): void {
    const spoken = { text: text.slice(0, LONGEST_TEXT), by };
    for (const word of new Set(spoken.text.match(WORD))) {
      if (!this.isIndexed(word)) continue;
      const others = this.having.get(word);
      if (!others) this.having.set(word, [spoken]);
      else if (others.length < MOST_TEXTS) others.push(spoken);
    }
  }

  /**
   * The first occurrence of a value as a whole: `7741` is not in `77410`. With what stands before it in its text. Null
   * if there is none.
   */
  first(value: string): { by: T; before: string } | null {
    let rarest: Spoken<T>[] = [];
    for (const word of value.match(WORD) ?? []) {
      if (!this.isIndexed(word)) continue;
      const having = this.having.get(word);
      if (!having) return null;
      if (rarest.length === 0 || having.length < rarest.length) rarest = having;
    }
    for (const { text, by } of rarest) {
      const at = placeIn(text, value);
      if (at >= 0) return { by, before: text.slice(Math.max(0, at - AROUND), at) };
    }
    return null;
  }

  private isIndexed(word: string): boolean {
    return word.length >= SHORTEST_WORD && (this.indexed?.test(word) ?? true);
  }
}

/** Where a value stands in a text as a whole; -1 if nowhere. */
function placeIn(text: string, value: string): number {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    if (!isInWord(text.charAt(at - 1)) && !isInWord(text.charAt(at + value.length))) return at;
  }
  return -1;
}

function isInWord(character: string): boolean {
  return /[\p{L}\p{N}_]/u.test(character);
}
