import { type Sql, sql } from "./sql.ts";

/** Steps that are looked through at a time. */
export const STRIDE = 2_000;

/**
 * How much of a log one answer looks through, in steps and in bytes of payload: SQLite goes through 28 MB in 70 to 200 ms on two
 * cores, of which others had their share. What is left is asked for with `next`, so that no session is too long and no reader thread is held up.
 */
export const MOST_STEPS = 50_000;
export const MOST_BYTES = 16_000_000;

/** How a storage matches a pattern in any case, and how its function is called that finds a text in another. */
export interface Matching {
  like: Sql;
  has: Sql;
}

/**
 * Whether a payload's JSON has a word at all: quick, and with more hits than there are. LIKE knows the case of English
 * letters alone; other words are looked for as they were typed, in small letters, in capitals, and with a capital first.
 */
export function hasWord(word: string, { like, has }: Matching): Sql {
  // As JSON writes it within a text.
  const written = JSON.stringify(word).slice(1, -1);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is meant
  if (/^[\x00-\x7f]*$/.test(written)) {
    const pattern = `%${written.replace(/[%_!]/g, "!$&")}%`;
    return sql`payload ${like} ${pattern} ESCAPE '!'`;
  }
  const [small, capitals] = [written.toLowerCase(), written.toUpperCase()];
  // Small letters without the first stand for both the word and the same with a capital first.
  const [, ...rest] = small;
  const [, ...restCapitals] = capitals;
  const isCased = small !== capitals && rest.length > 0 && restCapitals.length > 0;
  const isMixed = written.slice(1) !== small.slice(1) && written !== capitals;
  const spellings = new Set([
    ...(isMixed ? [written] : []),
    ...(isCased ? [rest.join(""), restCapitals.join("")] : [small, capitals]),
  ]);
  const conditions = [...spellings].map((spelling) => sql`${has}(payload, ${spelling}) > 0`);
  return {
    text: conditions.map(({ text }) => text).join(" OR "),
    values: conditions.flatMap(({ values }) => values),
  };
}
