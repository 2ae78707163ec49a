/** The cookie that remembers as whom conversations are begun in this browser. */
export const WRITER_COOKIE = "obelus-writer";

/** As whom a conversation is begun where nobody has said so yet. */
const OPERATOR = "operator";

export function parseWriter(cookie: string | undefined): string {
  return cookie?.trim() || OPERATOR;
}
