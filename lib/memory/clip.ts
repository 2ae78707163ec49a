const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const ELLIPSIS = "…";

/**
 * A text of at most `limit` characters (UTF-16 units, as `length` counts them). A longer one ends in … and never in the
 * middle of what a person reads as one character.
 */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let end = 0;
  for (const { index, segment } of GRAPHEMES.segment(text)) {
    if (index + segment.length + ELLIPSIS.length > limit) break;
    end = index + segment.length;
  }
  return limit < ELLIPSIS.length ? "" : `${text.slice(0, end)}${ELLIPSIS}`;
}
