/** What a command sends to a server that wants keys: the one of `OBELUS_KEY`. */
export const KEY_HEADERS: Readonly<Record<string, string>> = process.env.OBELUS_KEY
  ? { authorization: `Bearer ${process.env.OBELUS_KEY}` }
  : {};
