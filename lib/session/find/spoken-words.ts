/** Of one text so many characters are read: more than people say at once. */
const LONGEST_TEXT = 100_000;
/** A word that more texts have is looked for in the first of them: what so many say is nobody's. */
const MOST_TEXTS = 500;
const WORD = /[\p{L}\p{N}]+/gu;

interface Spoken<T> {
  text: string;
  by: T;
}

/** What was said, in its order, to be asked where a value stood in it first. */
export class SpokenWords<T> {
  /** By word, the texts that have it, in their order. */
  private readonly having = new Map<string, Spoken<T>[]>();

  add(text: string, by: T): void {
    const spoken = { text: text.slice(0, LONGEST_TEXT), by };
    for (const word of new Set(spoken.text.match(WORD))) {
      const others = this.having.get(word);
      if (!others) this.having.set(word, [spoken]);
      else if (others.length < MOST_TEXTS) others.push(spoken);
    }
  }

  /** Who said a value first, as a whole: `7741` does not stand in `77410`; of all, or of `some`. Null where nobody did. */
  first(value: string, some?: (by: T) => boolean): T | null {
    let rarest: Spoken<T>[] | null = null;
    for (const word of value.match(WORD) ?? []) {
      const having = this.having.get(word);
      if (!having) return null;
      if (rarest === null || having.length < rarest.length) rarest = having;
    }
    return rarest?.find(({ text, by }) => (!some || some(by)) && standsIn(text, value))?.by ?? null;
  }
}

function standsIn(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    if (!isInWord(text.charAt(at - 1)) && !isInWord(text.charAt(at + value.length))) return true;
  }
  return false;
}

function isInWord(character: string): boolean {
  return /[\p{L}\p{N}_]/u.test(character);
}
