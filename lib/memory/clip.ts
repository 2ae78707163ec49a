const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const ELLIPSIS = "…";

/** A text shortened to `limit` UTF-16 units, ending in … and never within a grapheme. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let end = 0;
  for (const { index, segment } of GRAPHEMES.segment(text)) {
    if (index + segment.length + ELLIPSIS.length > limit) break;
    end = index + segment.length;
  }
  return limit < ELLIPSIS.length ? "" : `${text.slice(0, end)}${ELLIPSIS}`;
}
