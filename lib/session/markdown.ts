/** The maximum length of a text that is parsed as Markdown, in characters. */
const MOST_LENGTH = 16_384;
/** Marks whose parsing takes quadratic time, and how many a text may have; a run of emphasis marks counts as one. */
const COSTLY: readonly { marks: RegExp; most: number }[] = [
  { marks: /\n/g, most: 1_000 },
  { marks: /\*+|_+|~+/g, most: 1_000 },
  { marks: /[[<|]|`+/g, most: 2_000 },
  // Each scans everything before it.
  { marks: /\]/g, most: 200 },
];
/** A line that starts with this many nested marks of quotations and lists. */
const TOO_DEEP = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])[ \t])){16}/m;
/** The approximate cost of a mark, relative to an ordinary character. */
const MARK_PRICE = 16;
/** About 50 ms of parsing. */
const MOST_AT_ONCE = 32_768;

/**
 * Whether a text can be parsed as Markdown without blocking; a longer one, or one with more marks than an agent means,
 * is shown as plain text. Checked before parsing, by length, marks and nesting: 16 kB of `]` take seconds.
 */
export function isMarkdown(text: string): boolean {
  return priceOf(text) < Number.POSITIVE_INFINITY;
}

/**
 * The texts of a page, newest last, that are parsed while it is rendered: as many of the newest as take little time.
 * The browser parses the others later.
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
