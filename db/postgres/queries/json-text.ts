/**
 * A column with JSON, to take fields out of it in SQL: Postgres refuses JSON that has U+0000 or half of a surrogate pair anywhere, even
 * to be read. Halves are no longer stored; stored before, they are the only ones that are escaped.
 */
export function jsonIn(column: string): string {
  return `(CASE WHEN strpos(${column}, '\\ud') > 0
    THEN regexp_replace(replace(${column}, '\\u0000', '\\ufffd'), '\\\\ud[89a-f][0-9a-f]{2}', '\\\\ufffd', 'g')
    ELSE replace(${column}, '\\u0000', '\\ufffd') END)::json`;
}
