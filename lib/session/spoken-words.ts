/** Of one text so many characters are read: more than people say at once. */
const LONGEST_TEXT = 100_000;
const WORD = /[\p{L}\p{N}]+/gu;

interface Spoken<T> {
  text: string;
  by: T;
}

/** What was said, in its order, to be asked where a value stood in it first. */
export class SpokenWords<T> {
  private readonly texts: Spoken<T>[] = [];
  /** By word, the texts that have it, in their order. */
  private readonly having = new Map<string, Spoken<T>[]>();

  add(text: string, by: T): void {
    const spoken = { text: text.slice(0, LONGEST_TEXT), by };
    this.texts.push(spoken);
    for (const word of new Set(spoken.text.match(WORD))) {
      const others = this.having.get(word);
      if (others) others.push(spoken);
      else this.having.set(word, [spoken]);
    }
  }

  /** Who said a value first, as a whole: `7741` does not stand in `77410`. Null where nobody did. */
  first(value: string): T | null {
    const longest = (value.match(WORD) ?? []).reduce((one, other) => (other.length > one.length ? other : one), "");
    const candidates = longest === "" ? this.texts : (this.having.get(longest) ?? []);
    return candidates.find(({ text }) => standsIn(text, value))?.by ?? null;
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
