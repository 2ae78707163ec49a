import type { Range } from "./find-placeholder.ts";

/**
 * In characters. Chromium inserts line by line, each slower than the one before: 2,000 lines took 2 s, 10 s on a busy
 * machine.
 */
const LONGEST_TYPED = 10_000;

/**
 * Replaces a range of a field as if typed, so that it can be undone; a longer text is set directly. The caret is placed
 * after it.
 */
export function typeInto(field: HTMLTextAreaElement, { start, end }: Range, text: string): void {
  field.focus();
  field.setSelectionRange(start, end);
  if (text.length <= LONGEST_TYPED && document.execCommand("insertText", false, text)) return;
  field.setRangeText(text, start, end, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Selects a range of a field and scrolls to it. */
export function selectIn(field: HTMLTextAreaElement, range: Range): void {
  field.focus();
  field.setSelectionRange(range.start, range.end);
  field.scrollTop = topOf(field, range) - field.clientHeight / 3;
}

/** The styles that determine line breaks. */
const LOOKS = ["font", "letterSpacing", "padding", "tabSize", "whiteSpace", "overflowWrap", "wordBreak"] as const;

/** The vertical position of an offset in a textarea, in pixels, measured with a mirror element. */
function topOf(field: HTMLTextAreaElement, { start, end }: Range): number {
  const copy = document.createElement("div");
  const style = getComputedStyle(field);
  for (const look of LOOKS) copy.style[look] = style[look];
  Object.assign(copy.style, { position: "absolute", top: "0", visibility: "hidden", boxSizing: "border-box" });
  copy.style.width = `${field.clientWidth}px`;
  const mark = document.createElement("span");
  mark.textContent = field.value.slice(start, end);
  copy.append(field.value.slice(0, start), mark);
  document.body.append(copy);
  const top = mark.offsetTop;
  copy.remove();
  return top;
}
