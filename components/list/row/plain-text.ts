/** The text of Markdown in one line, without its syntax. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)\s]*\)/gu, "$1")
    .replace(/(\*\*|__|`+)(?=\S)(.+?)(?<=\S)\1/gu, "$2")
    .replace(/(^|\n)\s*(?:#{1,6}|>|[-*+])\s+/gu, "$1");
}
