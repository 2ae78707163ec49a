import { charactersOf } from "../tokens.ts";

/** Prefix of the further lines of a message, so that none looks like another message (H3). */
export const INDENT = "  ";

/** Everything that may be read as a line break. */
export const LINE_BREAKS = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;
const OTHER_BREAKS = /[\v\f\r\u0085\u2028\u2029]/;

/** A message's text with normalized line breaks, trimmed. */
export function plainLines(content: string): string {
  const text = OTHER_BREAKS.test(content) ? content.replace(LINE_BREAKS, "\n") : content;
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === "\n") start++;
  while (end > start && text[end - 1] === "\n") end--;
  return text.slice(start, end);
}

/** The text of `plainLines`, indented. */
export function indent(text: string): string {
  return text.replaceAll("\n", `\n${INDENT}`);
}

/** Code points of a text of `plainLines`, indented. */
export function printedSize(text: string): number {
  let size = charactersOf(text);
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) size += INDENT.length;
  return size;
}
