/** The longest text that is read as Markdown, in characters. */
const MOST_LENGTH = 16_384;
/** What parsing takes time by the square of, and how many there may be in a text; of marks of emphasis a run counts as one. */
const COSTLY: readonly { marks: RegExp; most: number }[] = [
  { marks: /\n/g, most: 1_000 },
  { marks: /\*+|_+|~+/g, most: 1_000 },
  { marks: /[[<|]|`+/g, most: 2_000 },
  // Each looks through all that stands before it.
  { marks: /\]/g, most: 200 },
];
/** A line that begins with so many marks of quotations and lists, each within the one before. */
const TOO_DEEP = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])[ \t])){16}/m;
/** What one of them takes beside a character without a meaning, roughly. */
const MARK_PRICE = 16;
/** About 50 ms of parsing. */
const MOST_AT_ONCE = 32_768;

/**
 * Whether a text can be read as Markdown without holding up who reads it; a longer one, or one of more marks than an agent
 * means, stands as it was written. Told before parsing, by length, marks and nesting: 16 kB of `]` take seconds.
 */
export function isMarkdown(text: string): boolean {
  return priceOf(text) < Number.POSITIVE_INFINITY;
}

/**
 * Of the texts of a page, newest last, those that are read as Markdown while the page is made: the newest, as many as take
 * little time together. The browser reads the others later.
 */
export function readAtOnce<Text extends { text: string }>(texts: readonly Text[]): Set<Text> {
  const chosen = new Set<Text>();
  let spent = 0;
  for (const each of texts.toReversed()) {
    const price = priceOf(each.text);
    if (price === Number.POSITIVE_INFINITY) continue;
    spent += price;
    if (spent > MOST_AT_ONCE) break;
    chosen.add(each);
  }
  return chosen;
}

function priceOf(text: string): number {
  if (text.length > MOST_LENGTH || TOO_DEEP.test(text)) return Number.POSITIVE_INFINITY;
  let price = text.length;
  for (const { marks, most } of COSTLY) {
    const count = text.match(marks)?.length ?? 0;
    if (count > most) return Number.POSITIVE_INFINITY;
    price += count * MARK_PRICE;
  }
  return price;
}
