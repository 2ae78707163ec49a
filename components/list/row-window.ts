/** Pixels; tokens of the design (`--row`, and the height of the table's head). */
export const ROW_HEIGHT = 44;
export const HEAD_HEIGHT = 26;

/** Rows drawn beyond either edge of the screen, so that a quick scroll shows no gaps. */
const OVERSCAN = 10;

/** Which rows the screen shows: the first, and how many. */
export interface View {
  top: number;
  size: number;
}

/** The rows that a scrolled box shows. */
export function viewOf({ scrollTop, clientHeight }: { scrollTop: number; clientHeight: number }): View {
  return { top: Math.floor(scrollTop / ROW_HEIGHT), size: Math.ceil(clientHeight / ROW_HEIGHT) };
}

/** The rows to draw of `count`, in order: those on screen, some around them, and `kept`, which is -1 for none. */
export function rowsToDraw({ top, size }: View, count: number, kept: number): number[] {
  const end = Math.min(count, top + size + OVERSCAN);
  const start = Math.max(0, Math.min(top - OVERSCAN, end - size));
  const drawn = Array.from({ length: end - start }, (_, offset) => start + offset);
  if (kept < 0 || kept >= count || (kept >= start && kept < end)) return drawn;
  return kept < start ? [kept, ...drawn] : [...drawn, kept];
}

/** Where to scroll so that the row is whole on screen, below the head; where it is already, nothing moves. */
export function scrollTopFor(
  index: number,
  { scrollTop, clientHeight }: { scrollTop: number; clientHeight: number },
): number {
  const top = index * ROW_HEIGHT;
  const lowest = top + HEAD_HEIGHT + ROW_HEIGHT - clientHeight;
  return Math.max(Math.min(scrollTop, top), lowest);
}
