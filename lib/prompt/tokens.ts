/** The estimated number of characters per token (H4). */
export const CHARACTERS_PER_TOKEN = 4;

/** Code points of a text. */
export function charactersOf(text: string): number {
  let count = text.length;
  // A surrogate pair is one code point.
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(index + 1);
    if (next >= 0xdc00 && next <= 0xdfff) {
      count--;
      index++;
    }
  }
  return count;
}

/** The estimated tokens of code points, rounded up (H4). */
export function tokensIn(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/** The estimated tokens of a text (H4). */
export function estimateTokens(text: string): number {
  return tokensIn(charactersOf(text));
}
