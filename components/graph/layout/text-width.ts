/** Advance widths of Inter at 12 px semibold, px, measured in Chromium; others are as wide as a lower-case letter. */
const NARROW = new Set("iljI|!'.,:;‘’`");
const SLIM = new Set('tfr()[]{}-/\\*"† ');
const WIDE = new Set("mwMWЖШЩЮФЫМжшщюфым@%—");
const NARROW_WIDTH = 3.6;
const SLIM_WIDTH = 5;
const WIDE_WIDTH = 11.2;
const UPPER_WIDTH = 8.4;
const LETTER_WIDTH = 7;

/** The advance of JetBrains Mono at 11 px. */
const MONO_WIDTH = 6.6;

/** The approximate width of a tool's name, px; rather too large, to avoid truncation. */
export function titleWidth(text: string): number {
  let width = 0;
  for (const letter of text) width += letterWidth(letter);
  return Math.ceil(width);
}

/** The width of a path, px. */
export function monoWidth(text: string): number {
  return Math.ceil([...text].length * MONO_WIDTH);
}

function letterWidth(letter: string): number {
  if (NARROW.has(letter)) return NARROW_WIDTH;
  if (SLIM.has(letter)) return SLIM_WIDTH;
  if (WIDE.has(letter)) return WIDE_WIDTH;
  return letter !== letter.toLowerCase() ? UPPER_WIDTH : LETTER_WIDTH;
}
