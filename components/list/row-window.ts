/** Pixels; design tokens (`--row`, and the height of the table head). */
export const ROW_HEIGHT = 44;
export const HEAD_HEIGHT = 26;

/** Rows rendered beyond either edge of the viewport, so that fast scrolling shows no gaps. */
const OVERSCAN = 10;

/** The visible rows: the first, and their number. */
export interface View {
  top: number;
  size: number;
}

/** The visible rows of a scroll container. */
export function viewOf({ scrollTop, clientHeight }: { scrollTop: number; clientHeight: number }): View {
  return { top: Math.floor(scrollTop / ROW_HEIGHT), size: Math.ceil(clientHeight / ROW_HEIGHT) };
}

/** The rows to render of `count`, in order: the visible ones, a margin, and `kept`, which is -1 for none. */
export function rowsToDraw({ top, size }: View, count: number, kept: number): number[] {
  const end = Math.min(count, top + size + OVERSCAN);
  const start = Math.max(0, Math.min(top - OVERSCAN, end - size));
  const drawn = Array.from({ length: end - start }, (_, offset) => start + offset);
  if (kept < 0 || kept >= count || (kept >= start && kept < end)) return drawn;
  return kept < start ? [kept, ...drawn] : [...drawn, kept];
}

/** The scroll position that shows the row below the head; unchanged if it is visible. */
export function scrollTopFor(
  index: number,
  { scrollTop, clientHeight }: { scrollTop: number; clientHeight: number },
): number {
  const top = index * ROW_HEIGHT;
  const lowest = top + HEAD_HEIGHT + ROW_HEIGHT - clientHeight;
  return Math.max(Math.min(scrollTop, top), lowest);
}
