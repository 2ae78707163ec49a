/** The cookie with the user id of new conversations. */
export const WRITER_COOKIE = "obelus-writer";

/** The default user id of new conversations. */
const OPERATOR = "operator";

export function parseWriter(cookie: string | undefined): string {
  return cookie?.trim() || OPERATOR;
}
