import { charactersOf } from "./tokens.ts";

/** Stands before the further lines of a message, so that none can pass for another message (H3). */
export const INDENT = "  ";

/** All that a reader may take for the beginning of a new line. */
export const LINE_BREAKS = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;
const OTHER_BREAKS = /[\v\f\r\u0085\u2028\u2029]/;

/** A message's text with one kind of line break, and none at its ends. */
export function plainLines(content: string): string {
  const text = OTHER_BREAKS.test(content) ? content.replace(LINE_BREAKS, "\n") : content;
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === "\n") start++;
  while (end > start && text[end - 1] === "\n") end--;
  return text.slice(start, end);
}

/** The text of `plainLines` as it is printed. */
export function indent(text: string): string {
  return text.replaceAll("\n", `\n${INDENT}`);
}

/** Code points of a text of `plainLines` as it is printed. */
export function printedSize(text: string): number {
  let size = charactersOf(text);
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) size += INDENT.length;
  return size;
}
