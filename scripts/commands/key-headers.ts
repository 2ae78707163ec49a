/** The authentication header of commands: the key of `OBELUS_KEY`. */
export const KEY_HEADERS: Readonly<Record<string, string>> = process.env.OBELUS_KEY
  ? { authorization: `Bearer ${process.env.OBELUS_KEY}` }
  : {};
