import type { Range } from "./find-placeholder.ts";

/** Characters. Chromium types line by line, each slower than the one before: 2,000 lines took it 2 s, 10 s on a busy machine. */
const LONGEST_TYPED = 10_000;

/**
 * Puts a text in the place of a range of a field, as if it were typed, so that it can be undone; one that is too long
 * for that is just put there. The caret goes behind it.
 */
export function typeInto(field: HTMLTextAreaElement, { start, end }: Range, text: string): void {
  field.focus();
  field.setSelectionRange(start, end);
  if (text.length <= LONGEST_TYPED && document.execCommand("insertText", false, text)) return;
  field.setRangeText(text, start, end, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Selects a range of a field and brings it into view. */
export function selectIn(field: HTMLTextAreaElement, range: Range): void {
  field.focus();
  field.setSelectionRange(range.start, range.end);
  field.scrollTop = topOf(field, range) - field.clientHeight / 3;
}

/** What a text's lines depend on. */
const LOOKS = ["font", "letterSpacing", "padding", "tabSize", "whiteSpace", "overflowWrap", "wordBreak"] as const;

/** How far below the field's top a place in its text is, in pixels. Browsers tell that of elements alone. */
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
