/** The text of Markdown without its syntax. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)\s]*\)/gu, "$1")
    .replace(/(\*\*|__|`+)(?=\S)(.+?)(?<=\S)\1/gu, "$2")
    .replace(/(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*(?![\p{L}\p{N}*])/gu, "$1")
    .replace(/(^|\n)\s*(?:#{1,6}|>|[-*+])\s+/gu, "$1");
}
